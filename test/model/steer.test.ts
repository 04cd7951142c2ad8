/** What is steered between two tokens, without an engine. */
import { expect, test } from 'vitest';
import type { Piece } from '../../parsers/parser.ts';
import { formatNamed } from '../../src/format.ts';
import { steerCalls } from '../../src/model/constrain.ts';

const tools = [{ name: 'cancel', description: 'Cancels all.', inputSchema: { type: 'object' } }];
const grammar = formatNamed('qwen').parser.grammar!(tools);
const marker = '<tool_call>';
const inside = '\n{"name": "cancel", "arguments": {}}\n';

/** The marker as the vocabulary has it. */
const asToken: readonly Piece[] = [{ text: marker, control: true }];
const asLetters: readonly Piece[] = [{ text: '<' }, { text: 'tool_call' }, { text: '>' }];

test.each([
  ['a control token', new Set([marker, '</tool_call>']), asToken, { text: '</tool_call>', control: true }],
  ['letters', new Set<string>(), asLetters, { text: '</tool_call>' }],
])('each of two calls is held where the marker is %s', (_name, controlTokens, opening, closing) => {
  const steer = steerCalls(grammar, 'calls', controlTokens);
  steer([]);
  const held = (pieces: readonly Piece[]) =>
    pieces.map(piece => steer([piece])).filter(steering => steering !== undefined && steering !== 'free');
  const call = [...opening, { text: inside }, closing];
  const [first] = held(call);
  expect(first).toMatchObject({ grammar: grammar.gbnf });
  const [second] = held([{ text: '\n' }, ...call]);
  expect(second).toEqual(first);
  // Text behind a call is free, and letters within it open nothing.
  expect(held([{ text: '\nThat was' }, { text: ' all.' }, ...asLetters])).toEqual([]);
});
