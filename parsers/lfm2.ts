/** `<|tool_call_start|>[f(a="x"), g()]<|tool_call_end|>`, then often words: LFM2 and LFM2.5. On request they write JSON there. */
import Parsimmon, { type Parser } from 'parsimmon';
import { callBlock } from './blocks.ts';
import { bracketGrammar, writeBracket } from './bracket.ts';
import { createParser } from './create-parser.ts';
import { dropEcho } from './echo.ts';
import { marker } from './gbnf/expression.ts';
import { pythonCalls } from './gbnf/notations.ts';
import { type StrictCall, space } from './grammar.ts';

const open = '<|tool_call_start|>';
const close = '<|tool_call_end|>';

/** The block to the letter. */
export const lfm2Grammar: Parser<StrictCall[]> = bracketGrammar
  .trim(space)
  .wrap(Parsimmon.string(open), Parsimmon.string(close));

export const lfm2 = createParser(
  {
    name: 'lfm2',
    blocks: [dropEcho(callBlock({ open, close, form: 'python' }))],
    argumentsKey: 'arguments',
    stops: ['<|im_end|>', '<|endoftext|>'],
    results: ['<|tool_response_start|>', '<|im_start|>'],
    thinking: { open: '<think>', close: '</think>' },
  },
  calls => [{ text: open, control: true }, { text: writeBracket(calls) }, { text: close, control: true }],
  { open: marker(`${open}[`), ...pythonCalls, close: marker(`]${close}`) },
);
