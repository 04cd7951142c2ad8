import { expect, test } from 'vitest';
import { wilson } from '../../src/eval/interval.ts';

// The worked examples of Newcombe (1998), "Two-sided confidence intervals for the single proportion", method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%i of %i', (right, trials, low, high) => {
  expect(wilson(right, trials).low).toBeCloseTo(low, 4);
  expect(wilson(right, trials).high).toBeCloseTo(high, 4);
});

test('none and all mirror each other and stay within 0 and 1', () => {
  expect(wilson(10, 10).low).toBeCloseTo(1 - wilson(0, 10).high, 10);
  expect(wilson(10, 10).high).toBeCloseTo(1, 10);
  expect(wilson(10, 10).high).toBeLessThanOrEqual(1);
});

test('of nothing nothing is known', () => {
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
});
