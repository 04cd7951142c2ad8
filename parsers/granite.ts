/**
 * Granite 3: `<|tool_call|>[{"name": …, "arguments": {…}}, …]`. The marker is a token in 3.0 and 3.3; 3.1 spells out `<tool_call>`, and
 * some checkpoints write both. A model that was told to think answers between `<response>` and `</response>`, which are text too.
 */
import Parsimmon, { type Parser } from 'parsimmon';
import { createParser } from './create-parser.ts';
import { marker } from './gbnf/expression.ts';
import { jsonCalls } from './gbnf/notations.ts';
import type { StrictCall } from './grammar.ts';
import { fill, markerHere, readSpace } from './input.ts';
import { listBlock, listText, objectList } from './list-block.ts';
import type { Block } from './session.ts';

const open = '<|tool_call|>';
const spelled = '<tool_call>';
const ends = ['<|end_of_text|>'];

/** The block to the letter. */
export const graniteGrammar: Parser<StrictCall[]> = Parsimmon.alt(
  Parsimmon.string(open),
  Parsimmon.string(spelled),
).then(objectList);

const calls = [
  listBlock({ open, close: '<|/tool_call|>', others: [spelled] }),
  listBlock({ open: spelled, close: '</tool_call>' }),
];

/** The answer's frame: its beginning stands before all text, its end behind all of it, at most a call follows. */
const answerBegins: Block = {
  open: '<response>',
  *read({ input, prose }, mark) {
    if (prose.said) return false;
    yield* readSpace(input);
    input.release(mark);
    prose.block();
    return true;
  },
};
const answerEnds: Block = {
  open: '</response>',
  *read({ input, prose, stops }, mark) {
    yield* readSpace(input);
    if ((yield* fill(input)) && !(yield* markerHere(input, [open, spelled, ...stops]))) return false;
    input.release(mark);
    prose.block();
    return true;
  },
};

export const granite = createParser(
  {
    name: 'granite',
    blocks: [...calls, answerBegins, answerEnds],
    argumentsKey: 'arguments',
    stops: ends,
    results: ['<|start_of_role|>'],
    thinking: { open: '<think>', close: '</think>' },
  },
  written => [{ text: open, control: true }, { text: listText(written) }],
  { ...jsonCalls({ between: ', ' }), open: marker(`${open}[`), close: marker(']') },
);
