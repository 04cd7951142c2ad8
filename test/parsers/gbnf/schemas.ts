/** JSON Schemas of every kind, values made for them, and the schemas without what a grammar said that it relaxed. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import type { JsonValue, Relaxed } from '../../../parsers/parser.ts';

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false, addUsedSchema: false });
addFormats.default(ajv);

export type Schema = Record<string, unknown>;

export const names = fc.constantFrom(
  ...['a', 'b', 'ab', 'abc', 'city', 'x-1', 'two words', 'é', '"', 'back\\slash', '<tool_call>', 'a\nb', ''],
);
const references = fc.constantFrom('p', 'q', 'r').map(name => ({ $ref: `#/$defs/${name}` }));
const size = fc.integer({ min: 0, max: 4 });
const optional = <T>(arbitrary: fc.Arbitrary<T>, weight = 1) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const whole = fc.oneof(fc.integer({ min: -1200, max: 1200 }), fc.integer({ min: -5, max: 5 }));
const decimal = fc.oneof(
  whole,
  fc.integer({ min: -3000, max: 3000 }).map(value => value / 1000),
  fc.integer({ min: -30, max: 30 }).map(value => value / 10),
);
const letters = fc.string({ unit: 'grapheme', maxLength: 6 });
export const plainValues: fc.Arbitrary<JsonValue> = fc
  .jsonValue({ maxDepth: 2, noUnicodeString: false })
  .map(value => JSON.parse(JSON.stringify(value)) as JsonValue);
const scalars: fc.Arbitrary<JsonValue> = fc.oneof(letters, whole, decimal, fc.boolean(), fc.constant(null));

const texts = fc
  .record(
    {
      type: fc.constant('string'),
      minLength: size,
      maxLength: fc.oneof(size, fc.constantFrom(40, 100_000)),
      pattern: fc.constantFrom(
        ...['^[a-c]+$', '^\\d{2,4}$', '^(?:ab|cd)?x*$', 'foo', '^a', 'b$', '^[^"]*$', '^a|b$', '^\\S+@\\S+$'],
        ...[
          '^(?!x).*$',
          '\\bword\\b',
          '^(a*)*$',
          '^\\p{L}+$',
          '[',
          '^[\\w.-]{1,3}$',
          '^"\\\\\\n$',
          '^.{2}$',
          '^$',
        ],
      ),
      format: fc.constantFrom('date', 'time', 'date-time', 'uuid', 'email', 'uri', 'ipv4', 'color'),
    },
    { requiredKeys: ['type'] },
  )
  // Two of them at once are mostly met by no text at all.
  .map(({ pattern, format, ...schema }) => ({
    ...schema,
    ...(pattern === undefined ? (format === undefined ? {} : { format }) : { pattern }),
  }));
const numbers = fc
  .record(
    {
      type: fc.constantFrom('integer', 'number'),
      minimum: decimal,
      maximum: decimal,
      exclusiveMinimum: decimal,
      exclusiveMaximum: decimal,
      multipleOf: fc.constantFrom(1, 2, 0.5),
    },
    { requiredKeys: ['type'] },
  )
  .map(({ minimum, maximum, ...schema }) => {
    const swap = minimum !== undefined && maximum !== undefined && minimum > maximum;
    return { ...schema, ...(swap ? { minimum: maximum, maximum: minimum } : defined({ minimum, maximum })) };
  });
const odd: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  true,
  {},
  { description: 'Anything.' },
  false,
  { type: 'boolean' },
  { type: 'null' },
  { type: ['string', 'null'] },
  { type: ['integer', 'boolean', 'array'], items: { type: 'integer' } },
  { type: 'string', nullable: true },
  { minimum: 3 },
  { enum: [] },
  { type: 'integer', enum: ['1', 1, 2.5, 3] },
  { type: 'string', minLength: 2, enum: ['a', 'ab', 'é', '😀😀'] },
  { const: { b: [1, null], a: '<tool_call>' } },
  { not: { type: 'string' } },
  { type: 'integer', not: { const: 3 } },
  { $ref: '#/nowhere' },
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword.
  { type: 'object', if: { required: ['a'] }, then: { required: ['b'] }, properties: { a: {}, b: {} } },
  { type: 'object', propertyNames: { maxLength: 2 }, additionalProperties: { type: 'integer' } },
  { type: 'object', properties: { a: {}, b: {} }, dependentRequired: { a: ['b'] } },
  { type: 'array', items: [{ type: 'integer' }, { type: 'string' }], additionalItems: false },
);

export const schemas = fc.letrec<{ any: unknown; object: Schema }>(tie => ({
  any: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'schema', withCrossShrink: true },
    fc.oneof(
      texts,
      numbers,
      odd,
      fc.array(scalars, { minLength: 1, maxLength: 4 }).map(list => ({ enum: list })),
    ),
    scalars.map(value => ({ const: value })),
    references,
    tie('object'),
    fc
      .record({
        items: optional(tie('any')),
        prefixItems: optional(fc.array(tie('any'), { maxLength: 2 })),
        minItems: optional(size),
        maxItems: optional(fc.oneof(size, fc.constant(10_000))),
        uniqueItems: optional(fc.boolean()),
        contains: optional(tie('any'), 6),
      })
      .map(keywords => defined({ type: 'array', ...keywords })),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map(anyOf => ({ anyOf })),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map(oneOf => ({ oneOf })),
    fc.array(tie('object'), { minLength: 1, maxLength: 2 }).map(allOf => ({ allOf })),
    fc
      .tuple(tie('object'), tie('object'))
      .map(([own, other]) => ({ ...own, anyOf: [other, { type: 'object' }] })),
  ),
  object: fc
    .record({
      properties: fc
        .array(fc.tuple(names, tie('any')), { maxLength: 4 })
        .map(entries => Object.fromEntries(entries)),
      needed: fc.array(fc.nat(9), { maxLength: 2 }),
      additionalProperties: optional(tie('any'), 3),
      minProperties: optional(fc.integer({ min: 0, max: 2 }), 8),
      maxProperties: optional(fc.integer({ min: 0, max: 2 }), 8),
      patternProperties: optional(
        tie('any').map(schema => ({ '^a': schema })),
        8,
      ),
      ref: optional(fc.constant({ $ref: '#/$defs/q' }), 8),
    })
    .map(({ needed, ref, properties, ...keywords }) => {
      const keys = Object.keys(properties);
      const required = [...new Set(needed.flatMap(index => keys[index] ?? []))];
      return defined({ type: 'object', properties, required, ...keywords, ...ref });
    }),
}));

const recursive: readonly Schema[] = [
  { type: 'array', items: { anyOf: [{ $ref: '#/$defs/r' }, { type: 'null' }] } },
  {
    type: 'object',
    properties: { next: { $ref: '#/$defs/r' }, city: { $ref: '#/$defs/p' } },
    required: ['city'],
    additionalProperties: false,
  },
  {
    oneOf: [{ const: 'end' }, { type: 'object', properties: { a: { $ref: '#/$defs/r' } }, required: ['a'] }],
  },
  { type: 'object', properties: { a: { $ref: '#/$defs/r' } }, required: ['a'] },
];

/** A tool's schema with recursion: definitions that may refer to each other. */
export const toolSchemas: fc.Arbitrary<Schema> = fc
  .record({
    root: schemas.object,
    p: fc.oneof(texts, numbers, odd),
    q: schemas.object,
    r: fc.constantFrom(...recursive),
  })
  .map(({ root, ...$defs }) => JSON.parse(JSON.stringify({ ...root, $defs })) as Schema & { $defs: Schema })
  .filter(({ $defs }) => !Object.values($defs).some(one => isCircular(one as Schema, $defs)));

function defined<T extends object>(fields: T): Schema {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** What ajv has against a value. */
export function checker(schema: Schema): (value: unknown) => string | undefined {
  const validate = ajv.compile(readable(schema));
  return value => (validate(value) ? undefined : ajv.errorsText(validate.errors));
}

/** What ajv refuses is said otherwise: an empty `enum`, a reference to nowhere, a pattern that is none, the lists of older drafts. */
export function readable(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { $ref, pattern, items, additionalItems, ...keywords } = value as Schema;
    if (pattern === '[') return keywords;
    if (Array.isArray(items)) return defined({ ...keywords, prefixItems: items, items: additionalItems });
    if (Array.isArray(keywords.enum) && keywords.enum.length === 0) return { not: {} };
    return $ref === '#/nowhere' ? defined({ ...(value as Schema), $ref: undefined }) : value;
  }) as Schema;
}

/** Whether a definition is itself, with no list or object in between: no validator comes to an end there. */
function isCircular(schema: Schema, definitions: Schema, above: readonly unknown[] = []): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if (above.includes(schema)) return true;
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema as Record<string, Schema[]>;
  const target = typeof $ref === 'string' ? definitions[String($ref).slice('#/$defs/'.length)] : undefined;
  return [target, ...anyOf, ...oneOf, ...allOf].some(one =>
    isCircular(one as Schema, definitions, [...above, schema]),
  );
}

/** The schema without the keywords that were relaxed; of `oneOf` stays that one branch fits. */
export function withoutRelaxed(schema: Schema, relaxed: readonly Relaxed[]): Schema {
  const copy = JSON.parse(JSON.stringify(schema)) as Schema;
  const deepestFirst = relaxed.toSorted((a, b) => b.path.length - a.path.length);
  for (const { path, keyword } of deepestFirst) {
    const place = at(copy, path);
    if (typeof place !== 'object' || place === null) continue;
    const keywords = place as Schema;
    const { [keyword]: value } = keywords;
    delete keywords[keyword];
    if (keyword === 'oneOf') keywords.allOf = [...((keywords.allOf as unknown[]) ?? []), { anyOf: value }];
  }
  // A branch that lets more through may fit beside another one.
  for (const { path, keyword } of deepestFirst) if (['const', 'enum'].includes(keyword)) release(copy, path);
  return copy;
}

/** Turns each `oneOf` on the way to a place into `anyOf`. */
function release(schema: Schema, path: string): void {
  for (const { index } of [...path.matchAll(/\/oneOf\//g)].toReversed()) {
    const keywords = at(schema, path.slice(0, index)) as Schema | undefined;
    if (!keywords?.oneOf) continue;
    keywords.allOf = [...((keywords.allOf as unknown[]) ?? []), { anyOf: keywords.oneOf }];
    delete keywords.oneOf;
  }
}

export function at(schema: unknown, pointer: string): unknown {
  let value = schema;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = typeof value === 'object' && value !== null ? (value as Schema)[key] : undefined;
  }
  return value;
}
