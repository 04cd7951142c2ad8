/** `<|python_start|>[f(a=1), g()]<|python_end|>`: Llama 4, which writes the list without its markers just as well. */
import Parsimmon, { type Parser } from 'parsimmon';
import { callBlock } from './blocks.ts';
import { bracketGrammar, writeBracket } from './bracket.ts';
import { createParser } from './create-parser.ts';
import { marker } from './gbnf/expression.ts';
import { pythonCalls } from './gbnf/notations.ts';
import { type StrictCall, space } from './grammar.ts';
import { markerHere } from './input.ts';
import type { Block } from './session.ts';

const open = '<|python_start|>';
const close = '<|python_end|>';

/** The block to the letter. */
export const llama4Grammar: Parser<StrictCall[]> = bracketGrammar
  .trim(space)
  .wrap(Parsimmon.string(open), Parsimmon.string(close));

const calls = callBlock({ open, close, form: 'python' });

/** The official template puts a reply's text between the markers, most often none, and JSON calls behind them. */
const block: Block = {
  ...calls,
  *read(session, mark) {
    const { input, prose } = session;
    if (!(yield* markerHere(input, [close]))) return yield* calls.read(session, mark);
    input.at += close.length;
    input.release(mark);
    prose.block();
    return true;
  },
};

export const llama4 = createParser(
  {
    name: 'llama4',
    blocks: [block],
    unmarked: 'python',
    argumentsKey: 'parameters',
    stops: ['<|eot|>', '<|eom|>', '<|end_of_text|>'],
    results: ['<|header_start|>'],
    thinking: { open: '<think>', close: '</think>' },
  },
  written => [{ text: open, control: true }, { text: writeBracket(written) }, { text: close, control: true }],
  { open: marker(`${open}[`), ...pythonCalls, close: marker(`]${close}`) },
);
