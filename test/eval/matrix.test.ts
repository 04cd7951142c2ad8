import { expect, test } from 'vitest';
import { matrixOf } from '../../src/eval/matrix.ts';
import { estimator, inWords } from '../../src/eval/progress.ts';

const ids = (lists: Parameters<typeof matrixOf>[0]) => matrixOf(lists).map(({ id }) => id);

test('every combination, each under a name of its own', () => {
  expect(
    ids({
      models: [{ path: '/x/a.gguf' }, { path: '/y/a.gguf' }],
      formats: ['qwen', './mine/my-format.mjs'],
      policies: ['auto', 'question-and-data/once'],
    }),
  ).toEqual([
    'a:qwen:auto:off:native',
    'a:qwen:question-and-data/once:off:native',
    'a:my-format:auto:off:native',
    'a:my-format:question-and-data/once:off:native',
    'a_2:qwen:auto:off:native',
    'a_2:qwen:question-and-data/once:off:native',
    'a_2:my-format:auto:off:native',
    'a_2:my-format:question-and-data/once:off:native',
  ]);
});

test('what is said twice is one variant', () => {
  expect(ids({ models: [{ path: 'a.gguf' }], constrain: ['off', 'calls', 'off'] })).toEqual([
    'a:auto:auto:off:native',
    'a:auto:auto:calls:native',
  ]);
});

test('an endpoint that writes its own prompts varies in its policies alone', () => {
  const endpoint = { endpoints: ['http://host:8080/v1'], api: 'chat' as const };
  const lists = {
    formats: ['qwen', 'hermes'],
    constrain: ['off', 'calls'],
    schemaForms: ['native', 'python'],
  };
  expect(ids({ models: [endpoint], ...lists, policies: ['auto', 'with-schema'] })).toEqual([
    'host-8080:chat:auto:off:native',
    'host-8080:chat:with-schema:off:native',
  ]);
});

test('a policy is what a turn is answered from, and how often is decided', () => {
  const turns = matrixOf({
    models: [{ path: 'a.gguf' }],
    policies: ['auto', 'with-schema', 'without-schema/once'],
  }).map(one => one.turns);
  expect(turns).toEqual([
    { answerTurn: 'auto', rounds: 'auto' },
    { answerTurn: 'with-schema', rounds: 'until-done' },
    { answerTurn: 'without-schema', rounds: 'once' },
  ]);
});

test.each([
  [{ policies: ['with-schema/twice'] }, /no policy "with-schema\/twice"/],
  [{ policies: ['question-and-dta'] }, /Is it question-and-data\?/],
  [{ constrain: ['call'] }, /Is it calls\?/],
  [{ schemaForms: ['xml'] }, /no schema form "xml"\. There are: native, minified/],
])('%j is none', (lists, message) => {
  expect(() => ids({ models: [{ path: 'a.gguf' }], ...lists })).toThrow(message);
});

test('what is left takes as long as what was done since the start, and what was there before counts for nothing', () => {
  let time = 1000;
  const estimate = estimator(110, 10, () => time);
  expect(estimate(10)).toEqual({ done: 10, of: 110 });
  time += 20_000;
  expect(estimate(30)).toEqual({ done: 30, of: 110, left: 80_000 });
});

test.each([
  [200, 'about 1 s'],
  [59_000, 'about 59 s'],
  [240_000, 'about 4 min'],
  [7_800_000, 'about 2 h 10 min'],
])('%j ms are %s', (milliseconds, words) => {
  expect(inWords(milliseconds)).toBe(words);
});
