/** `[f(a=1, b="x"), g()]`: Python calls in a list, as Llama 3.2 writes them ("pythonic"); Llama 4 puts them between markers. */

import Parsimmon, { type Parser } from 'parsimmon';
import { callBlock } from './blocks.ts';
import { createParser } from './create-parser.ts';
import { marker } from './gbnf/expression.ts';
import { pythonCalls } from './gbnf/notations.ts';
import { pythonCall, type StrictCall, space } from './grammar.ts';
import { jsonMembers, pythonLiteral } from './json-text.ts';
import { pythonTagBlock } from './llama-blocks.ts';
import type { ToolCall } from './parser.ts';

/** The list to the letter. */
export const bracketGrammar: Parser<StrictCall[]> = pythonCall
  .sepBy1(Parsimmon.string(',').trim(space))
  .wrap(Parsimmon.string('[').then(space), space.then(Parsimmon.string(']')));

export const bracket = createParser(
  {
    name: 'bracket',
    blocks: [
      pythonTagBlock('python'),
      callBlock({ open: '<|python_start|>', close: '<|python_end|>', form: 'python' }),
    ],
    unmarked: 'python',
    argumentsKey: 'parameters',
    stops: ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|eot|>'],
    results: ['<|start_header_id|>', '<|header_start|>'],
    thinking: { open: '<think>', close: '</think>' },
  },
  calls => [{ text: writeBracket(calls) }],
  { open: marker('['), ...pythonCalls, close: marker(']') },
);

/** Calls as a Python list. */
export function writeBracket(calls: readonly ToolCall[]): string {
  return `[${calls.map(writeCall).join(', ')}]`;
}

/** Keys that are no Python names go into a dictionary behind `**`, which is how Python itself would pass them. */
function writeCall(call: ToolCall): string {
  const members = jsonMembers(call.argumentsText);
  const written = members.map(([key, value]) =>
    /^[A-Za-z_]\w*$/.test(key)
      ? `${key}=${pythonLiteral(value)}`
      : `**{${JSON.stringify(key)}: ${pythonLiteral(value)}}`,
  );
  return `${call.name}(${written.join(', ')})`;
}
