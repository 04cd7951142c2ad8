/** What the raw view shows of a turn, before it is drawn. */
import { expect, test } from 'vitest';
import { readCompletion } from '../../../parsers/read.ts';
import { formatNamed } from '../../../src/format.ts';
import { comparedFlow } from '../../../src/playground/page/raw/compared-flow.ts';
import { completionFlow } from '../../../src/playground/page/raw/completion-flow.ts';
import { promptFlow, promptTokens, type ShownToken } from '../../../src/playground/page/raw/prompt-flow.ts';
import { readSpans } from '../../../src/playground/read-spans.ts';
import type { Prompt } from '../../../templates/template.ts';

const prompt: Prompt = [
  { control: '<|im_start|>' },
  { text: 'user\n', origin: 'template' },
  { text: 'Hi <|im_end|>', origin: 'user' },
  { control: '<|im_end|>' },
];
const tokens: readonly ShownToken[] = [
  { id: 4, text: '<|im_start|>', control: true, origin: 'template' },
  { id: 7, text: 'user\n', control: false, origin: 'template' },
  { id: 8, text: 'Hi', control: false, origin: 'user' },
  { id: 9, text: ' <|im_end|>', control: false, origin: 'user' },
  { id: 5, text: '<|im_end|>', control: true, origin: 'template' },
] as const;
const usage = [{ prompt: 5, reused: 3, evaluated: 2, generated: 1 }];

test('a token shows whose it is, and whether the KV cache had it', () => {
  const flow = promptFlow({ prompt, tokens: tokens as never, usage });
  expect(flow.tokens.map(({ text, looks }) => [text, looks])).toEqual([
    ['<|im_start|>', 'control reused'],
    ['user\n', 'from-template reused'],
    ['Hi', 'from-user reused'],
    [' <|im_end|>', 'from-user evaluated boundary'],
    ['<|im_end|>', 'control evaluated'],
  ]);
  expect(flow.facts(3)).toEqual({ text: ' <|im_end|>', notes: ['id 9', 'position 3', 'user', 'evaluated'] });
  expect(flow.facts(4).notes).toEqual(['id 5', 'position 4', 'control token', 'evaluated']);
  expect(flow.landmarks).toEqual([2, 3]);
});

test('while a turn runs nobody knows what was reused', () => {
  const { tokens: shown, facts } = promptFlow({ prompt, tokens: tokens as never, usage: [] });
  expect(shown[0]?.looks).toBe('control ');
  expect(facts(2).notes).toEqual(['id 8', 'position 2', 'user']);
});

test('without a tokenizer the pieces of the prompt are shown', () => {
  const flow = promptFlow({ prompt, usage });
  expect(flow.tokens.map(({ text, looks }) => [text, looks])).toEqual([
    ['<|im_start|>', 'control '],
    ['user\n', 'from-template '],
    ['Hi <|im_end|>', 'from-user '],
    ['<|im_end|>', 'control '],
  ]);
  expect(flow.facts(2).notes).toEqual(['piece 2', 'user']);
  expect(promptTokens({ prompt })).toHaveLength(4);
});

test('a completion is tied to what was read, piece by piece', () => {
  const pieces = [
    { text: '<think>', control: true, tokens: [1] },
    { text: 'Add them.', tokens: [20, 21] },
    { text: '</think>', control: true, tokens: [2] },
    { text: 'So:\n', tokens: [22] },
    { text: '<tool_call>', control: true, tokens: [3] },
    { text: '\n{"name": "add", "arguments": {"a": 31,}}', tokens: [23] },
    { text: '</tool_call>', control: true, tokens: [4] },
    { text: '<|im_end|>', control: true, tokens: [5] },
  ];
  const format = formatNamed('qwen');
  const { events } = readCompletion(format.parser, pieces, {
    stops: format.template.stops,
    controlTokens: new Set(pieces.flatMap(({ text, control }) => (control ? [text] : []))),
  });
  const flow = completionFlow({ pieces, reason: 'stop', spans: readSpans(pieces, events) });
  expect(flow.tokens.map(({ looks }) => looks)).toEqual([
    'control read-passed',
    'read-reasoning',
    'control read-passed',
    'read-text',
    'control read-call mended',
    'read-call mended',
    'control read-call mended',
    'control read-passed',
  ]);
  expect(flow.facts(5).notes).toEqual(['id 23', 'position 5', 'call of add', 'repair trailing-comma']);
  expect(flow.facts(1).notes).toEqual(['ids 20, 21', 'position 1', 'reasoning']);
  expect(flow.facts(7).notes).toEqual(['id 5', 'position 7', 'control token', 'passed over']);
  expect(flow.ranges.map(({ start, end }) => [start, end])).toEqual([[1, 2], [3, 4], [4, 7], [4, 7]]); // biome-ignore format: a table
  expect(flow.spansAt(5)).toEqual([2, 3]);
});

test('a piece that two spans share is of the one that has more of it', () => {
  const pieces = [{ text: 'ab' }, { text: 'cdefg' }];
  const flow = completionFlow({
    pieces,
    reason: 'stop',
    spans: [
      { kind: 'text', span: { start: 0, end: 3 } },
      { kind: 'reasoning', span: { start: 3, end: 7 } },
    ],
  });
  expect(flow.tokens.map(({ looks }) => looks)).toEqual(['read-text', 'read-reasoning']);
  expect(flow.spansAt(1)).toEqual([0, 1]);
  expect(flow.ranges).toEqual([
    { start: 0, end: 2 },
    { start: 1, end: 2 },
  ]);
});

const many = (count: number, from = 100): ShownToken[] =>
  Array.from({ length: count }, (_, at) => ({
    id: from + at,
    text: `w${from + at} `,
    control: false,
    origin: 'user',
  }));

test('of what two prompts have in common only what is near a change is shown', () => {
  const added: ShownToken = { id: 5, text: '<|im_end|>', control: true, origin: 'template' };
  const before = many(200);
  const after = [...before.slice(0, 150), added, ...before.slice(150)];
  const folded = comparedFlow(before, after, true);
  expect({ added: folded.added, removed: folded.removed, same: folded.same }).toEqual({
    added: 1,
    removed: 0,
    same: 200,
  });
  expect(folded.tokens[0]).toMatchObject({ text: '⋯ 126 tokens that both have ⋯', alone: true });
  expect(folded.tokens).toHaveLength(1 + 24 + 1 + 24 + 1);
  expect(folded.facts(50)).toEqual({ notes: ['⋯ 26 tokens that both have ⋯'] });
  expect(folded.landmarks).toEqual([25]);
  expect(folded.tokens[25]?.looks).toBe('added control');
  expect(folded.facts(25).notes).toEqual(['id 5', 'position 150', 'control token', 'added']);
  expect(folded.margin(25).words).toBe('+');

  const whole = comparedFlow(before, after, false);
  expect(whole.tokens.map(({ text }) => text)).toEqual(after.map(({ text }) => text));
});

test('what is gone keeps the position that it had', () => {
  const before = many(60);
  const flow = comparedFlow(before, [...before.slice(0, 30), ...before.slice(33)], true);
  expect(flow.removed).toBe(3);
  expect(flow.facts(30).notes).toEqual(['id 130', 'position 30', 'user', 'removed']);
  expect(flow.margin(30).words).toBe('−');
});

test('a control token and a text that spells it are not the same', () => {
  const token = (control: boolean): ShownToken => ({
    text: '<|im_end|>',
    control,
    origin: control ? 'template' : 'user',
  });
  const { added, removed } = comparedFlow([token(false)], [token(true)], true);
  expect({ added, removed }).toEqual({ added: 1, removed: 1 });
});
