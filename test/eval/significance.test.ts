/** Tests of pairs, against values that were worked out by hand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holm, median, signFlipTest, signTest } from '../../src/eval/significance.ts';

const times = (count: number, value: number) => Array.from({ length: count }, () => value);

test.each([
  // Of 2^6 ways two are all to one side.
  ['6 lost, none won', [...times(6, -1)], 2 / 64],
  // 2 · (C(10, 0) + C(10, 1)) / 2^10
  ['9 lost, 1 won', [...times(9, -1), 1], 22 / 1024],
  // 2 · (1 + 12 + 66) / 2^12; pairs that do not differ say nothing.
  ['10 won, 2 lost, 80 alike', [...times(10, 1), ...times(2, -1), ...times(80, 0)], 158 / 4096],
  ['5 won, 5 lost', [...times(5, 1), ...times(5, -1)], 1],
  ['nothing differs', [0, 0], 1],
  ['nothing at all', [], 1],
])("McNemar's exact test: %s", (_, differences, expected) => {
  expect(signFlipTest(differences)).toBeCloseTo(expected, 12);
});

test('tasks that were asked several times flip as one', () => {
  // ±3 ±1: sums of 4, 2, -2, -4, and 4 was seen: 2 of 4. As four askings apart it would be 2 of 16.
  expect(signFlipTest([3, 1])).toBe(0.5);
  // ±2 ±2 ±1, seen 3: 5, 3 (twice: 2+2-1 is 3, 2-2+1 is 1), so |sum| ≥ 3 in 5, 3, -3, -5: 4 of 8.
  expect(signFlipTest([2, 2, -1])).toBe(0.5);
});

test('the sign test counts which is larger, not by how much', () => {
  expect(signTest([1e6, 1, 2, 0.5, 3, 1e-9])).toBe(2 / 64);
  expect(signTest([-1e6, 1, 1, 1, 1, 1, 1, 0])).toBeCloseTo((2 * 8) / 128, 12);
});

test('a likelihood is one, and is the same from both sides', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 12 }), differences => {
      const all = 2 ** differences.length;
      const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0));
      let far = 0;
      for (let flips = 0; flips < all; flips++) {
        const sum = differences.reduce((total, one, at) => total + (flips & (1 << at) ? -one : one), 0);
        if (Math.abs(sum) >= seen) far++;
      }
      expect(signFlipTest(differences)).toBeCloseTo(far / all, 12);
      expect(signFlipTest(differences.map(one => -one))).toBeCloseTo(far / all, 12);
    }),
  );
});

test('thousands of pairs are tested too', () => {
  expect(signFlipTest([...times(2000, 1), ...times(2000, -1), ...times(10, 1)])).toBeGreaterThan(0.8);
  expect(signFlipTest(times(3000, 1))).toBe(0);
});

test("Holm's correction: the least likely times all, the next times one fewer, and none below the one before", () => {
  expect(holm([0.04, 0.01, 0.03])).toEqual([0.06, 0.03, 0.06]);
  expect(holm([0.5, 0.9])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});

test('the median', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(median([])).toBeUndefined();
});
