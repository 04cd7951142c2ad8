import { expect, test } from 'vitest';
import { resultsTable } from '../../src/cli/eval/table.ts';
import { type EvalHeader, resultsVersion } from '../../src/eval/results.ts';
import { sample, task, variant } from './made-results.ts';

const variants = ['a', 'b', 'c'].map(format => variant(format, { format }));
const header: EvalHeader = {
  type: 'eval-start',
  version: resultsVersion,
  rawcall: '0',
  set: 's',
  tasksHash: '',
  tasks: [task('t1')],
  variants,
  samples: 1,
  seed: 1,
  settings: {},
  started: '2026-11-30T00:00:00.000Z',
};
const samples = [
  sample({ variant: 'a' }),
  sample({ variant: 'b', right: false, repairs: { 'bare-call': 2 } }),
  sample({ variant: 'c', error: { code: 'endpoint_failed', message: 'gone' } }),
];
const lineOf = (text: string, title: string) =>
  text
    .split('\n')
    .filter(line => line.startsWith(`${title}  `))
    .map(line => line.slice(title.length).trim().split(/ {2,}/));

test('a column for each variant, named by what tells it from the others', () => {
  const text = resultsTable({ header, samples }, 200);
  expect(text.split('\n')[0]).toBe('model practice, policy auto, constrain off, schema form native');
  expect(text.split('\n')[2]?.trim().split(/ {2,}/)).toEqual(['a', 'b', 'c']);
  expect(lineOf(text, 'samples')).toEqual([['1', '1', '0 + 1 broken off']]);
  expect(lineOf(text, 'call decision')).toEqual([['100 % (21–100) of 1', '0 % (0–79) of 1', '–']]);
  expect(lineOf(text, 'repairs')).toEqual([['0', '2 bare-call', '0']]);
  expect(lineOf(text, 'tokens evaluated, a sample')).toEqual([['100', '100', '–']]);
  expect(lineOf(text, 'time in all')).toEqual([['0.10 s', '0.10 s', '–']]);
  expect(text).not.toContain('over-calling');
});

test('what is too wide for the terminal is several tables', () => {
  const text = resultsTable({ header, samples }, 75);
  expect(lineOf(text, 'samples')).toEqual([['1', '1'], ['0 + 1 broken off']]);
});
