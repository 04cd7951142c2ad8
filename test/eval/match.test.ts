import { expect, test } from 'vitest';
import type { JsonValue } from '../../parsers/parser.ts';
import { argumentsMatch, matcherProblem, matches } from '../../src/eval/match.ts';

test.each<[JsonValue, JsonValue | undefined, boolean]>([
  [3, 3, true],
  [JSON.parse('3.0'), 3, true],
  [3, '3', false],
  ['Acme', 'Acme', true],
  ['Acme', 'acme', false],
  ['Acme', ' Acme', false],
  [null, null, true],
  [null, undefined, false],
  [{ exact: 'Acme', trim: true }, ' Acme\n', true],
  [{ exact: 'Acme', trim: true }, ' acme', false],
  [{ exact: 'ACME', ignore_case: true }, 'acme', true],
  [{ exact: 'Acme', ignore_case: true }, ' acme', false],
  [{ exact: { regex: 'x' } }, { regex: 'x' }, true],
  [{ exact: { regex: 'x' } }, 'x', false],
  [{ one_of: [1, 'two'] }, 'two', true],
  [{ one_of: [1, 'two'] }, 2, false],
  [{ one_of: ['Red', 'Blue'], ignore_case: true }, 'BLUE', true],
  [{ one_of: [{ range: [1, 2] }, 'none'] }, 1.5, true],
  [{ range: [1, 2] }, 1, true],
  [{ range: [1, 2] }, 2, true],
  [{ range: [1, 2] }, 2.01, false],
  [{ range: [null, 2] }, -1e9, true],
  [{ range: [1, null] }, 0, false],
  [{ range: [1, 2] }, '1', false],
  [{ regex: '^A\\d{4}$' }, 'A1042', true],
  [{ regex: '^A\\d{4}$' }, 'a1042', false],
  [{ regex: '^a\\d{4}$', ignore_case: true, trim: true }, ' A1042 ', true],
  [{ regex: '\\S', ignore_case: true }, '  ', false],
  [{ regex: '1' }, 1, false],
  [{ ignore: true }, undefined, true],
  [{ ignore: true }, [1], true],
  [{ exact: 'x', optional: true }, undefined, true],
  [{ exact: 'x' }, undefined, false],
  [{ exact: 'x', optional: true }, 'y', false],
  [[1, { range: [2, 3] }], [1, 2.5], true],
  [[1, 2], [2, 1], false],
  [[1, 2], [1], false],
  [{ unit: 'kg', value: { range: [1, 2] } }, { value: 2, unit: 'kg' }, true],
  [{ unit: 'kg' }, { unit: 'kg', value: 2 }, false],
  [{ unit: 'kg', value: { ignore: true } }, { unit: 'kg' }, true],
])('%j takes %j: %j', (matcher, value, right) => {
  expect(matches(matcher, value)).toBe(right);
});

test('an argument that is not expected must not be there, unless it is the default', () => {
  const schema = { type: 'object', properties: { id: { type: 'string' }, limit: { default: 10 } } };
  expect(argumentsMatch({ id: 'x' }, { id: 'x' }, schema)).toBe(true);
  expect(argumentsMatch({ id: 'x' }, { id: 'x', limit: 10 }, schema)).toBe(true);
  expect(argumentsMatch({ id: 'x' }, { id: 'x', limit: 11 }, schema)).toBe(false);
  expect(argumentsMatch({ id: 'x' }, {}, schema)).toBe(false);
  expect(argumentsMatch({}, { id: 'x' }, schema)).toBe(false);
  expect(argumentsMatch(undefined, { anything: 1 }, schema)).toBe(true);
  expect(argumentsMatch({ toString: 'x' }, {}, schema)).toBe(false);
});

test.each<[JsonValue, readonly (string | number)[] | undefined, RegExp]>([
  ['plain', undefined, /^$/],
  [{ nested: { key: 1 } }, undefined, /^$/],
  [{ exact: { regex: 'x', anything: 1 } }, undefined, /^$/],
  [{ exact: 1, regex: 'x' }, ['regex'], /two matchers/],
  [{ regex: 'x', flags: 'i' }, ['flags'], /optional, trim, ignore_case/],
  [{ regex: '(' }, ['regex'], /no regular expression/],
  [{ regex: 1 }, ['regex'], /must be a text/],
  [{ range: [1] }, ['range'], /two numbers/],
  [{ range: ['1', 2] }, ['range'], /two numbers/],
  [{ one_of: [] }, ['one_of'], /list of values/],
  [{ one_of: [1, { regex: '[' }] }, ['one_of', 1, 'regex'], /no regular expression/],
  [{ list: [1, { ignore: false }] }, ['list', 1, 'ignore'], /must be true/],
  [{ exact: 'x', trim: 'yes' }, ['trim'], /true or false/],
])('what is wrong with %j is at %j', (matcher, path, message) => {
  const problem = matcherProblem(matcher);
  expect(problem?.path).toEqual(path);
  expect(problem?.message ?? '').toMatch(message);
});
