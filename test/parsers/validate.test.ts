import { expect, test } from 'vitest';
import { invalidArguments, schemaFault } from '../../parsers/validate.ts';

const tool = (properties: object) => ({ name: 'f', inputSchema: { type: 'object', properties } });

test('a schema that can be used has no fault', () => {
  const good = tool({ a: { type: 'integer' }, when: { type: 'string', format: 'date' } });
  expect(schemaFault(good)).toBeUndefined();
  expect(invalidArguments(good, { a: 1, when: '2026-02-30' })).toMatch(/when/);
  expect(invalidArguments(good, { a: 1, when: '2026-02-28' })).toBeUndefined();
});

test.each([
  ['an unknown type', tool({ a: { type: 'banana' } }), /properties\.a\.type/],
  ['a reference to nowhere', tool({ a: { $ref: '#/$defs/none' } }), /none/],
  ['a pattern that is none', tool({ a: { type: 'string', pattern: '(' } }), /regular expression/i],
])('%s: its tool is not validated, and it is said why', (_what, broken, why) => {
  expect(schemaFault(broken)).toMatch(why);
  expect(invalidArguments(broken, { a: [] })).toBeUndefined();
});

test('a schema of an older dialect is validated in that one', () => {
  const old = tool({ pair: { type: 'array', items: [{ type: 'integer' }, { type: 'string' }] } });
  expect(schemaFault(old)).toBeUndefined();
  expect(invalidArguments(old, { pair: [1, 'a'] })).toBeUndefined();
  expect(invalidArguments(old, { pair: ['a', 1] })).toMatch(/pair\.0 must be an integer/);
});

test('what a meta-schema objects to and can be used all the same is used', () => {
  const twice = tool({ a: { enum: [1, 1, 2] }, b: { type: 'array', prefixItems: [] } });
  expect(schemaFault(twice)).toBeUndefined();
  expect(invalidArguments(twice, { a: 3 })).toMatch(/a must be one of/);
});
