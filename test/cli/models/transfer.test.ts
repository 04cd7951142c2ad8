/** How far a transfer is, how fast, and how long it will take. */
import { expect, test } from 'vitest';
import { rateMeter, transferText } from '../../../src/cli/models/transfer.ts';

function meter() {
  let now = 1_000_000;
  const rate = rateMeter(() => now);
  return (seconds: number, bytes: number) => {
    now += seconds * 1000;
    return rate(bytes);
  };
}

test('the rate is that of what came since it began, not of what was there', () => {
  const at = meter();
  expect(at(0, 500_000_000)).toBeUndefined();
  expect(at(1, 502_000_000)).toBe(2_000_000);
  expect(at(1, 504_000_000)).toBe(2_000_000);
});

test('it follows a change within seconds, and begins anew with another source', () => {
  const at = meter();
  for (let second = 0; second < 60; second++) at(1, second * 1_000_000);
  let rate: number | undefined;
  for (let second = 1; second <= 15; second++) rate = at(1, 59_000_000 + second * 100_000);
  expect(rate).toBe(100_000);
  expect(at(1, 0)).toBeUndefined();
  expect(at(1, 5_000_000)).toBe(5_000_000);
});

test.each([
  [412_000_000, 986_000_000, 9_100_000, '412 MB of 986 MB, 41 %, 9.1 MB/s, 1 min 4 s left'],
  [0, 4_920_000_000, 300_000, '0 B of 4.9 GB, 0 %, 300 kB/s, 4 h 33 min left'],
  [999_950, 1_000_000, undefined, '1.0 MB of 1.0 MB, 99 %'],
  [5_000, undefined, 1_000, '5.0 kB, 1.0 kB/s'],
  [500, 1_000, 0, '500 B of 1.0 kB, 50 %, 0 B/s'],
])('%d of %s', (received, size, rate, text) => {
  expect(transferText(received, size, rate)).toBe(text);
});
