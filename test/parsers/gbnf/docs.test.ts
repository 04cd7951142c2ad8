/** docs/grammars.md says which keywords are held to. For each there is a schema here that it shows on, and one that it fails on. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { toolCallJson } from '../../../parsers/tool-call-json.ts';
import { readGbnf } from './gbnf.ts';
import { matchGbnf } from './match.ts';
import type { Schema } from './schemas.ts';

/** `fits` and `breaks` are values of the argument `x`, whose schema this is. */
interface Example {
  readonly schema: Schema;
  readonly fits: unknown;
  readonly breaks: unknown;
}

const of = (schema: Schema, fits: unknown, breaks: unknown): Example => ({ schema, fits, breaks });
const properties = { a: { type: 'integer' }, b: {} };
const object = { type: 'object', properties };

const said: Record<string, Example> = {
  type: of({ type: ['integer', 'null'] }, null, 'a'),
  enum: of({ enum: ['a', 2, [null]] }, [null], 'b'),
  const: of({ const: { a: 1 } }, { a: 1 }, { a: 2 }),
  properties: of(object, { a: 1 }, { a: 'x' }),
  required: of({ ...object, required: ['b', 'c'] }, { b: 1, c: 2, a: 3 }, { b: 1 }),
  additionalProperties: of(
    { ...object, additionalProperties: { type: 'null' } },
    { a: 1, c: null },
    { c: 1 },
  ),
  minProperties: of({ ...object, minProperties: 1 }, { a: 1 }, {}),
  maxProperties: of({ ...object, maxProperties: 2 }, { a: 1, b: 2 }, { a: 1, b: 2, c: 3 }),
  items: of({ type: 'array', items: { type: 'boolean' } }, [true, false], [true, 1]),
  prefixItems: of({ type: 'array', prefixItems: [{ const: 1 }, { const: 2 }] }, [1, 2], [2]),
  minItems: of({ type: 'array', minItems: 2 }, [1, 2], [1]),
  maxItems: of({ type: 'array', maxItems: 2 }, [1, 2], [1, 2, 3]),
  minLength: of({ type: 'string', minLength: 2 }, '😀"', '😀'),
  maxLength: of({ type: 'string', maxLength: 2 }, '\n😀', 'abc'),
  pattern: of({ type: 'string', pattern: '^(?:[a-c]{2,3}|\\d+)x?$' }, 'abcx', 'ax'),
  format: of({ type: 'string', format: 'date' }, '2024-02-29', '2023-02-29'),
  minimum: of({ type: 'number', minimum: -1.5 }, -1.5, -1.51),
  maximum: of({ type: 'integer', maximum: 120 }, 120, 121),
  exclusiveMinimum: of({ type: 'number', exclusiveMinimum: 0 }, 0.001, 0),
  exclusiveMaximum: of({ type: 'integer', exclusiveMaximum: -7 }, -8, -7),
  multipleOf: of({ type: 'number', multipleOf: 1 }, 3, 3.5),
  anyOf: of({ anyOf: [{ type: 'integer', minimum: 5 }, { const: 'x' }] }, 'x', 4),
  oneOf: of({ oneOf: [{ type: 'integer' }, { const: 'x' }] }, 1, 'y'),
  allOf: of({ allOf: [object, { ...object, required: ['a'] }] }, { a: 1, b: 2 }, { b: 2 }),
  $ref: of({ $ref: '#/$defs/self' }, [[], [[]]], [1]),
};

const relaxed: Record<string, Example> = {
  patternProperties: of(
    {
      type: 'object',
      patternProperties: { '^a': { type: 'null' } },
      additionalProperties: { type: 'integer' },
    },
    { ab: null, b: 1 },
    { ab: 1 },
  ),
  minProperties: of({ ...object, minProperties: 2 }, { a: 1, b: 2 }, { a: 1 }),
  maxProperties: of({ ...object, maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }),
  minItems: of({ type: 'array', minItems: 300 }, Array(300).fill(1), Array(299).fill(1)),
  maxItems: of({ type: 'array', maxItems: 300 }, [1], Array(301).fill(1)),
  minLength: of({ type: 'string', pattern: '^(?:ab)*c$', minLength: 2 }, 'abc', 'c'),
  maxLength: of({ type: 'string', maxLength: 100_000 }, 'a', 'a'.repeat(100_001)),
  pattern: of({ type: 'string', pattern: '^(?!x)' }, 'a', 'x'),
  format: of({ type: 'string', format: 'uri' }, 'a:b', 'a b'),
  multipleOf: of({ type: 'integer', multipleOf: 2 }, 4, 3),
  oneOf: of({ oneOf: [{ type: 'integer' }, { type: 'number', minimum: 3 }] }, 2, 4),
  $ref: of({ $ref: 'https://example.org/schema.json' }, 1, {}),
  uniqueItems: of({ type: 'array', uniqueItems: true }, [1], [1, 1]),
  contains: of({ type: 'array', contains: { const: 1 } }, [1], [2]),
  propertyNames: of({ type: 'object', propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }),
  dependentRequired: of({ ...object, dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }),
  dependentSchemas: of({ ...object, dependentSchemas: { a: { required: ['b'] } } }, { b: 1 }, { a: 1 }),
  not: of({ type: 'integer', not: { const: 3 } }, 4, 3),
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword.
  if: of({ ...object, if: { required: ['a'] }, then: { required: ['b'] } }, { b: 1 }, { a: 1 }),
  unevaluatedItems: of({ type: 'array', items: {}, unevaluatedItems: false }, [], [1]),
};

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/grammars.md'), 'utf8');
const rows = [...page.matchAll(/^\| `([$\w]+)` \| (said|relaxed|in part) \|/gm)].map(([, keyword, how]) => [
  keyword,
  how,
]);

test('the table lists every keyword and what becomes of it', () => {
  const keywords = [...new Set([...Object.keys(said), ...Object.keys(relaxed)])];
  const expected = keywords.map(keyword => [
    keyword,
    !(keyword in relaxed) ? 'said' : keyword in said ? 'in part' : 'relaxed',
  ]);
  expect(rows.toSorted()).toEqual(expected.toSorted());
});

describe.each(Object.entries(said))('%s is said', (_, example) => {
  test('and what breaks it is not in the grammar', () => {
    const { grammar, relaxed: list } = compiled(example.schema);
    expect(list).toEqual([]);
    expect(allows(grammar, example.fits)).toBe(true);
    expect(allows(grammar, example.breaks)).toBe(false);
  });
});

describe.each(Object.entries(relaxed))('%s is relaxed', (keyword, example) => {
  test('and reported, and what breaks it is in the grammar', () => {
    const { grammar, relaxed: list } = compiled(example.schema);
    expect(list).toContainEqual({ tool: 'f', path: '/properties/x', keyword });
    expect(allows(grammar, example.fits)).toBe(true);
    expect(allows(grammar, example.breaks)).toBe(true);
  });
});

function compiled(schema: Schema) {
  const self = { type: 'array', items: { $ref: '#/$defs/self' } };
  const inputSchema = { type: 'object', properties: { x: schema }, required: ['x'], $defs: { self } };
  const { gbnf, relaxed: list } = toolCallJson.grammar!([{ name: 'f', inputSchema }]);
  return { grammar: readGbnf(gbnf), relaxed: list };
}

function allows(grammar: ReturnType<typeof readGbnf>, value: unknown): boolean {
  const call = { id: 'call_1', name: 'f', arguments: {}, argumentsText: JSON.stringify({ x: value }) };
  const text = toolCallJson
    .write([call])
    .map(piece => piece.text)
    .join('');
  return matchGbnf(grammar, text).whole;
}
