/** `<tool_call>\n{"name": …, "arguments": …}\n</tool_call>`: Hermes 2 Pro and 3, Qwen 2.5 and 3. */

import Parsimmon, { type Parser } from 'parsimmon';
import { callBlock } from './blocks.ts';
import { createParser } from './create-parser.ts';
import { jsonCalls } from './gbnf/notations.ts';
import { callObject, type StrictCall, space } from './grammar.ts';
import { spacedJson } from './json-text.ts';
import type { Piece } from './parser.ts';

/** The block to the letter. */
export const toolCallJsonGrammar: Parser<StrictCall[]> = callObject('arguments')
  .wrap(Parsimmon.string('<tool_call>').then(space), space.then(Parsimmon.string('</tool_call>')))
  .sepBy1(space);

const open = '<tool_call>';
const close = '</tool_call>';

export const toolCallJson = createParser(
  {
    name: 'tool-call-json',
    blocks: [callBlock({ open, close, form: 'object' })],
    argumentsKey: 'arguments',
    stops: ['<|im_end|>', '<|endoftext|>', '<|end_of_text|>'],
    results: ['<tool_response>', '<|im_start|>'],
    thinking: { open: '<think>', close: '</think>' },
  },
  calls =>
    calls.flatMap((call, index): Piece[] => [
      ...(index === 0 ? [] : [{ text: '\n' }]),
      { text: open, control: true },
      { text: `\n{"name": ${JSON.stringify(call.name)}, "arguments": ${spacedJson(call.argumentsText)}}\n` },
      { text: close, control: true },
    ]),
  jsonCalls({ open: `${open}\n`, close: `\n${close}`, between: '\n' }),
);
