/** What became better or worse: pairs, rates and tests, against values that were worked out by hand. */
import { expect, test } from 'vitest';
import { compare, type MetricName } from '../../src/eval/compare.ts';
import type { Results } from '../../src/eval/results.ts';
import { asked, results, sample, task, variant } from './made-results.ts';

const yes = (count: number) => Array.from({ length: count }, () => true);
const no = (count: number) => Array.from({ length: count }, () => false);

function changeOf(before: Results, after: Results, metric: MetricName, metrics?: readonly MetricName[]) {
  const { variants } = compare(before, after, { threshold: 2, ...(metrics ? { metrics } : {}) });
  return variants[0]?.changes.find(one => one.metric === metric);
}

test("a rate: its change over the pairs, what was won and lost, and McNemar's exact test", () => {
  const before = results(asked([...yes(10), ...no(2), ...yes(8)]));
  const after = results(asked([...no(10), ...yes(2), ...yes(8)]));
  // 10 lost and 2 won: 2 · (1 + 12 + 66) / 2^12
  expect(changeOf(before, after, 'decision', ['decision'])).toMatchObject({
    before: 0.9,
    after: 0.5,
    change: expect.closeTo(-40, 9),
    pairs: 20,
    won: 2,
    lost: 10,
    p: 158 / 4096,
    corrected: 158 / 4096,
    verdict: 'regression',
  });
  expect(changeOf(after, before, 'decision', ['decision'])).toMatchObject({
    won: 10,
    lost: 2,
    verdict: 'improvement',
  });
});

test('where less is better, more is worse', () => {
  const [before, after] = [results(asked(yes(12))), results(asked(no(12)))];
  expect(changeOf(before, after, 'underCalling', ['underCalling'])).toMatchObject({
    before: 0,
    after: 1,
    change: 100,
    won: 0,
    lost: 12,
    verdict: 'regression',
  });
});

test('what is not significant, or within the threshold, is no regression', () => {
  // 5 lost of 20: 2 / 2^5 = 0.0625
  expect(changeOf(results(asked(yes(20))), results(asked([...no(5), ...yes(15)])), 'decision', ['decision'])).toMatchObject({ p: 0.0625, change: -25 }); // biome-ignore format: one line
  const [before, after] = [results(asked(yes(1000))), results(asked([...no(6), ...yes(994)]))];
  const change = changeOf(before, after, 'decision', ['decision']);
  expect(change).toMatchObject({ p: 2 / 64, change: expect.closeTo(-0.6, 9) });
  expect(change).not.toHaveProperty('verdict');
});

test('several tests are corrected for: the same likelihood is significant alone and not among many', () => {
  const [before, after] = [results(asked(yes(20))), results(asked([...no(6), ...yes(14)]))];
  expect(changeOf(before, after, 'decision', ['decision'])).toMatchObject({
    p: 2 / 64,
    verdict: 'regression',
  });
  const among = changeOf(before, after, 'decision', ['decision', 'right', 'empty']);
  expect(among).toMatchObject({ corrected: (3 * 2) / 64 });
  expect(among).not.toHaveProperty('verdict');
});

test('the samples of a task count as one question', () => {
  const four = (right: boolean, id: string) =>
    [0, 1, 2, 3].map(at => sample({ task: id, sample: at, seed: at, right }));
  const before = results(['t1', 't2', 't3'].flatMap(id => four(true, id)));
  const after = results(['t1', 't2', 't3'].flatMap(id => four(false, id)));
  // 12 pairs lost; three tasks: 2 / 2^3.
  expect(changeOf(before, after, 'right')).toMatchObject({ lost: 12, p: 0.25 });
});

test('tokens and times: the median over tasks, and the sign test', () => {
  const cost = (evaluated: number) => ({ usage: { evaluated, reused: 0, generated: 10, total: 5 } });
  const made = (factor: number) =>
    results([100, 200, 300, 400, 500, 600, 10_000].map((tokens, at) => sample({ task: `t${at}`, ...cost(tokens * (at < 6 ? factor : 1)) }))); // biome-ignore format: one line
  expect(changeOf(made(1), made(1.5), 'evaluated', ['evaluated'])).toMatchObject({
    before: 400,
    after: 600,
    change: 50,
    won: 0,
    lost: 6,
    p: 2 / 64,
    verdict: 'regression',
  });
  expect(changeOf(made(1), made(1.5), 'generated')).toMatchObject({ change: 0, won: 0, lost: 0, p: 1 });
  expect(changeOf(made(1), made(1.5), 'firstToken')).toBeUndefined();
});

test('times are shown and not tested, unless they are asked for', () => {
  const made = (total: number) =>
    results(asked(yes(8), { usage: { evaluated: 1, reused: 0, generated: 1, total } }));
  const shown = changeOf(made(100), made(300), 'total');
  expect(shown).toMatchObject({ change: 200, p: 2 / 256 });
  expect(shown).not.toHaveProperty('corrected');
  expect(changeOf(made(100), made(300), 'total', ['total'])).toMatchObject({ verdict: 'regression' });
});

test('runs that broke off count as errors and for nothing else', () => {
  const error = { code: 'x', message: 'x' };
  const before = results(asked(yes(10)));
  const after = results(asked(yes(10)).map(one => ({ ...one, error })));
  expect(changeOf(before, after, 'errors', ['errors'])).toMatchObject({
    after: 1,
    lost: 10,
    verdict: 'regression',
  });
  expect(changeOf(before, after, 'right')).toBeUndefined();
});

test('only the same task with the same seed makes a pair, and a task that says something else is another', () => {
  const before = results(asked(yes(4)));
  const changed = results(asked(yes(4)), {
    tasks: [task('t1'), task('t2', { query: 'Other?' }), task('t3')],
  });
  expect(compare(before, changed, { threshold: 2 })).toMatchObject({
    otherTasks: ['t2', 't4'],
    variants: [{ tasks: 2, pairs: 2, unpaired: 0 }],
  });
  const reseeded = results([...asked(yes(3)), sample({ task: 't4', seed: 8 })]);
  expect(compare(before, reseeded, { threshold: 2 })).toMatchObject({
    variants: [{ pairs: 3, unpaired: 1 }],
  });
});

test('variants are those of the same id; the only one of each; or those that are named', () => {
  const made = (...ids: string[]) => results(ids.flatMap(id => asked(yes(2), { variant: id })));
  const names = (before: Results, after: Results, pairs?: readonly (readonly [string, string])[]) => {
    const found = compare(before, after, { threshold: 2, ...(pairs ? { pairs } : {}) });
    return [found.variants.map(one => `${one.before}=${one.after}`), found.missing];
  };
  expect(names(made('a', 'b', 'c'), made('b', 'c', 'd'))).toEqual([['b=b', 'c=c'], ['a']]);
  expect(names(made('a'), made('b'))).toEqual([['a=b'], []]);
  expect(names(made('a', 'b'), made('a', 'b'), [['a', 'b']])).toEqual([['a=b'], []]);
  expect(() => names(made('a'), made('b'), [['a', 'x']])).toThrow(
    'The second evaluation has no variant x. It has: b.',
  );
  expect(() => names(made('a', 'b'), made('c', 'd'))).toThrow(/no sample in common/);
});

test('a variant without a sample in common has no pairs', () => {
  const before = results(asked(yes(2)), { variants: [variant('v'), variant('w')] });
  expect(compare(before, before, { threshold: 2 }).variants.map(({ pairs }) => pairs)).toEqual([2, 0]);
});
