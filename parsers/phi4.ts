/**
 * Phi-4-mini: `<|tool_call|>[{"name": …, "arguments": {…}}, …]<|/tool_call|>`, of which it often leaves the end out. Told to by vLLM's
 * template, it writes the word `functools` before the list and no tokens around it.
 */
import Parsimmon, { type Parser } from 'parsimmon';
import { createParser } from './create-parser.ts';
import { marker } from './gbnf/expression.ts';
import { jsonCalls } from './gbnf/notations.ts';
import { type StrictCall, space } from './grammar.ts';
import { listBlock, listText, objectList } from './list-block.ts';

const { alt, string } = Parsimmon;
const open = '<|tool_call|>';
const close = '<|/tool_call|>';
const word = 'functools';

/** The list to the letter, in either frame. */
export const phi4Grammar: Parser<StrictCall[]> = alt(
  objectList.wrap(string(open), space.then(string(close))),
  string(word).then(objectList),
);

export const phi4 = createParser(
  {
    name: 'phi4',
    blocks: [listBlock({ open, close }), listBlock({ open: word, word: true })],
    argumentsKey: 'arguments',
    stops: ['<|end|>', '<|endoftext|>'],
    results: ['<|tool_response|>', '<|user|>', '<|system|>', '<|assistant|>'],
    thinking: { open: '<think>', close: '</think>' },
  },
  calls => [{ text: open, control: true }, { text: listText(calls) }, { text: close, control: true }],
  { ...jsonCalls({ between: ', ' }), open: marker(`${open}[`), close: marker(`]${close}`) },
);
