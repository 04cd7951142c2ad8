/** What reports say of variants, of tools that were mixed up, and of why a sample is not right. */
import { expect, test } from 'vitest';
import { confusedNames, confusionOf } from '../../../src/eval/report/confusion.ts';
import { commonParts, tasksOf, variantsOf } from '../../../src/eval/report/variants.ts';
import { whyNot } from '../../../src/eval/report/why.ts';
import { percentText, timeText } from '../../../src/eval/report/words.ts';
import type { CallMade } from '../../../src/eval/results.ts';
import { asked, expectsNone, expectsTool, results, sample, variant } from '../made-results.ts';

const called = (tool: string, fields: Partial<CallMade> = {}): CallMade => ({
  turn: 1,
  tool,
  argumentsText: '{}',
  valid: true,
  repeated: false,
  ...fields,
});

test('variants are called by what differs between them, and numbered over all files', () => {
  const one = results(asked([true]), { variants: [variant('v'), variant('w', { format: 'qwen' })] });
  const two = results(asked([true]), { variants: [variant('v', { policy: 'with-schema' })] });
  const variants = variantsOf([
    { file: 'a/one.jsonl', results: one },
    { file: 'a/two.jsonl', results: two },
  ]);
  expect(variants.map(({ number, id, label }) => [number, id, label])).toEqual([
    [1, 'one/v', 'one: llama3 · auto'],
    [2, 'w', 'qwen · auto'],
    [3, 'two/v', 'two: llama3 · with-schema'],
  ]);
  expect(commonParts(variants)).toEqual([
    ['Model', 'practice'],
    ['Constrain', 'off'],
    ['Schema form', 'native'],
  ]);
});

test('what is missing is counted, and tasks have the variants that were asked', () => {
  const made = results([...asked([true, false], { variant: 'v' }), sample({ variant: 'w', task: 't2' })], {
    samples: 2,
  });
  const variants = variantsOf([{ file: 'r.jsonl', results: made }]);
  expect(variants.map(({ missing }) => missing)).toEqual([2, 3]);
  expect(tasksOf(variants).map(({ task, asked }) => [task.id, asked.map(({ of }) => of.number)])).toEqual([
    ['t1', [1]],
    ['t2', [1, 2]],
  ]);
});

test('expected and called tools are put side by side, each once a sample', () => {
  const two = { call: true, calls: [{ tool: 'add' }, { tool: 'divide' }], answerHolds: [] };
  const any = { call: true, calls: [], answerHolds: [] };
  const confusion = confusionOf([
    sample({ expected: two, calls: [called('add'), called('add'), called('multiply')] }),
    sample({ expected: expectsTool('add'), calls: [called('add'), called('search')] }),
    sample({ expected: expectsTool('add'), calls: [] }),
    sample({ expected: expectsNone, calls: [] }),
    sample({ expected: expectsNone, calls: [called('search')] }),
    sample({ expected: any, calls: [called('search')] }),
    sample({ calls: [called('wrong')], error: { code: 'x', message: 'x' } }),
  ]);
  expect(confusion.map(({ expected, called, count }) => `${expected}>${called} ${count}`)).toEqual([
    'add>add 2',
    'add> 1',
    'divide>multiply 1',
    '>search 2',
    '> 1',
  ]);
  expect(confusedNames(confusion)).toEqual(['add', 'divide', 'multiply', 'search', '']);
});

const wrong = { right: false, scores: { right: false } };
test.each([
  ['nothing is wrong', sample(), undefined],
  ['it broke off', sample({ error: { code: 'x', message: 'no memory' } }), 'it broke off: no memory'],
  ['no call', sample(wrong), 'no call'],
  [
    'a call where none is due',
    sample({ ...wrong, expected: expectsNone, calls: [called('add'), called('add')] }),
    'called add, where no tool is needed',
  ],
  [
    'another tool',
    sample({ calls: [called('search')], scores: { right: false, toolsRight: false } }),
    'called search instead of add',
  ],
  [
    'other arguments',
    sample({ scores: { right: false, argumentsRight: false } }),
    'called add with other arguments',
  ],
  [
    'a call that cannot be read',
    sample({ calls: [called('add', { valid: false, problem: 'bad_json' })], scores: { right: false } }),
    'called add, which could not be read: bad_json',
  ],
  [
    'a call too many',
    sample({ scores: { right: false, needless: 1 } }),
    'called add, and more than was asked for',
  ],
  ['a call too few', sample({ scores: { right: false } }), 'called add, and not all that was asked for'],
  [
    'the answer',
    sample({ scores: { answerHolds: false, empty: true } }),
    'the answer lacks what it must hold; there is no answer',
  ],
])('why a sample is not right: %s', (_, one, why) => {
  expect(whyNot(one)).toBe(why);
});

test('figures in words', () => {
  expect([1, 0, 0.5, 0.9999, 2 / 3].map(percentText)).toEqual(['100 %', '0 %', '50.0 %', '100 %', '66.7 %']);
  expect([0.4, 999, 1000, 12_345, 90_000].map(timeText)).toEqual([
    '0 ms',
    '999 ms',
    '1 s',
    '12.3 s',
    '1 min 30 s',
  ]);
});
