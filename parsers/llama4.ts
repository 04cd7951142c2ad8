/** `<|python_start|>[f(a=1), g()]<|python_end|>`: Llama 4, which writes the list without its markers just as well. */
import Parsimmon, { type Parser } from 'parsimmon';
import { callBlock } from './blocks.ts';
import { bracketGrammar, writeBracket } from './bracket.ts';
import { createParser } from './create-parser.ts';
import { marker } from './gbnf/expression.ts';
import { pythonCalls } from './gbnf/notations.ts';
import { type StrictCall, space } from './grammar.ts';

const open = '<|python_start|>';
const close = '<|python_end|>';

/** The block to the letter. */
export const llama4Grammar: Parser<StrictCall[]> = bracketGrammar
  .trim(space)
  .wrap(Parsimmon.string(open), Parsimmon.string(close));

export const llama4 = createParser(
  {
    name: 'llama4',
    blocks: [callBlock({ open, close, form: 'python' })],
    unmarked: 'python',
    argumentsKey: 'parameters',
    stops: ['<|eot|>', '<|eom|>', '<|end_of_text|>'],
    results: ['<|header_start|>'],
    thinking: { open: '<think>', close: '</think>' },
  },
  calls => [{ text: open, control: true }, { text: writeBracket(calls) }, { text: close, control: true }],
  { open: marker(`${open}[`), ...pythonCalls, close: marker(`]${close}`) },
);
