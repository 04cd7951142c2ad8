/** JSON compared by what it says. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactJson, exactValue } from '../../src/check/exact.ts';

test.each([
  ['1', '1.0'],
  ['1e2', '100'],
  ['-0', '0'],
  ['0.10', '1e-1'],
  ['1.0000000000000000000', '1'],
  ['12345678901234567890', '1234567890123456789e1'],
  ['{"a":1,"b":[2]}', '{ "b": [2.0], "a": 1 }'],
  ['"1e5"', '"1e5"'],
])('%s is %s', (left, right) => {
  expect(exactValue(left)).toEqual(exactValue(right));
});

test.each([
  ['12345678901234567890', '12345678901234567891'],
  ['0.12345678901234567', '0.12345678901234568'],
  ['1234567890.1234567891', '1234567890.1234567892'],
  ['1e400', '1e401'],
  ['"1"', '1'],
  ['"1.0"', '"1"'],
  ['[1,2]', '[2,1]'],
])('%s is not %s', (left, right) => {
  expect(exactValue(left)).not.toEqual(exactValue(right));
});

test('numbers inside strings and keys are text', () => {
  const json = '{"12345678901234567890":"id \\"12345678901234567890\\" \\\\","n":98765432109876543210}';
  const value = exactValue(json) as Record<string, unknown>;
  expect(value['12345678901234567890']).toBe('id "12345678901234567890" \\');
  expect(exactJson(exactValue(json))).toBe(json);
});

test('what JSON.parse reads exactly is read the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const json = JSON.stringify(value);
      expect(exactValue(exactJson(exactValue(json)))).toEqual(exactValue(json));
      if (!/\d{10}|\d[eE]|-0/.test(json)) expect(exactValue(json)).toEqual(JSON.parse(json));
    }),
    { numRuns: 150 },
  );
});
