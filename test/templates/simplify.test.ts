/** Schemas that small models follow: what becomes of each construction, and the laws. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../parsers/parser.ts';
import { readCompletion } from '../../parsers/read.ts';
import { formatNamed, formats } from '../../src/format.ts';
import { promptText } from '../../templates/prompt.ts';
import { type SchemaChange, simplifySchema, withSimplifiedSchemas } from '../../templates/simplify.ts';

/** Of a member's schema; the member's changes, with the place in it. */
function simplified(member: JsonSchema, definitions: Record<string, unknown> = {}) {
  const { schema, changes } = simplifySchema({
    type: 'object',
    properties: { it: member },
    ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
  });
  const { properties } = schema as { properties: { it: unknown } };
  const told = changes.map(({ path, change, narrows }) =>
    [path.replace('/properties/it', ''), change, ...(narrows ? ['narrows'] : [])].join(': '),
  );
  return { it: properties.it, told };
}

describe('what becomes of', () => {
  test.each<[string, JsonSchema, unknown, string[]]>([
    [
      'one or null',
      { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null, title: 'Limit' },
      { type: 'integer', description: '>= 1; or null' },
      [
        ': limits, formats and examples are said in words',
        ': null is said in words: narrows',
        ': "anyOf" is its one choice',
        ': the default null is left out',
      ],
    ],
    [
      'a list of types with null',
      { type: ['string', 'null'], description: 'Who.' },
      { type: 'string', description: 'Who. (or null)' },
      [': null is said in words: narrows'],
    ],
    ['a constant', { const: 'a' }, { type: 'string', enum: ['a'] }, [': "const" is an "enum" of one value']],
    [
      'a choice of values',
      { oneOf: [{ const: 'a' }, { const: 'b' }, { enum: ['b', 'c'] }] },
      { type: 'string', enum: ['a', 'b', 'c'] },
      [': "const" is an "enum" of one value', ': "oneOf" is one schema for all its choices'],
    ],
    [
      'a choice of types',
      { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      { description: 'a string or an array, each item a string' },
      [': "anyOf" is one schema for all its choices'],
    ],
    [
      'a choice of objects',
      {
        oneOf: [
          {
            type: 'object',
            properties: { kind: { const: 'a' }, x: { type: 'number' } },
            required: ['kind', 'x'],
            additionalProperties: false,
          },
          {
            type: 'object',
            properties: { kind: { const: 'b' }, y: { type: 'string' } },
            required: ['kind'],
          },
        ],
      },
      {
        type: 'object',
        description: 'give kind, x or kind',
        properties: {
          kind: { type: 'string', enum: ['a', 'b'] },
          x: { type: 'number' },
          y: { type: 'string' },
        },
        required: ['kind'],
      },
      [
        '/properties/kind: "const" is an "enum" of one value',
        ': "oneOf" is one schema for all its choices',
        '/properties/x: only some of the choices say this of the member: narrows',
      ],
    ],
    [
      'several schemas at once',
      {
        description: 'A place.',
        allOf: [
          { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
          { properties: { a: { maximum: 5 }, b: { type: 'boolean' } }, required: ['b'] },
        ],
      },
      {
        type: 'object',
        description: 'A place.',
        properties: { a: { type: 'number' }, b: { type: 'boolean' } },
        required: ['a', 'b'],
      },
      [': "allOf" is one schema', ': its type, object, is said: narrows'],
    ],
    [
      'limits, a format and a pattern',
      { type: 'string', format: 'date', description: 'When.', examples: ['2024-05-01'] },
      { type: 'string', description: 'When. (a date, YYYY-MM-DD; e.g. "2024-05-01")' },
      [': limits, formats and examples are said in words'],
    ],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'number' }, { type: 'integer' }], items: false },
      { type: 'array', description: 'in this order: a number, an integer', items: { type: 'number' } },
      [': which item is which is said in words'],
    ],
    [
      'what has no words',
      { type: 'object', properties: { a: { type: 'string' } }, not: { required: ['b'] } },
      { type: 'object', properties: { a: { type: 'string' } } },
      [': "not" is left out'],
    ],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'array', items: { type: 'string', minLength: 1 } } },
      {
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'string', description: '>= 1 chars' } },
      },
      ['/additionalProperties/items: limits, formats and examples are said in words'],
    ],
  ])('%s', (_what, schema, it, told) => expect(simplified(schema)).toEqual({ it, told }));

  test('a reference, and one that leads back to itself', () => {
    const node = {
      type: 'object',
      properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } },
    };
    expect(simplified({ $ref: '#/$defs/node', description: 'The first.' }, { node })).toEqual({
      it: {
        type: 'object',
        description: 'The first.',
        properties: {
          name: { type: 'string' },
          next: { type: 'object', description: 'of the same form as what it is in' },
        },
      },
      told: [': "$ref" is written out', '/properties/next: a schema that holds itself ends here'],
    });
    expect(simplified({ $ref: 'other.json#/x' })).toEqual({
      it: {},
      told: [': "$ref" leads nowhere: other.json#/x'],
    });
  });

  test('what is nested deeper than four levels', () => {
    const nested = (depth: number): object =>
      depth === 0
        ? { type: 'string' }
        : { type: 'object', properties: { in: nested(depth - 1), other: { type: 'string' } } };
    const { schema, changes } = simplifySchema(nested(6) as JsonSchema);
    expect(changes).toEqual([
      {
        path: '/properties/in/properties/in/properties/in/properties/in',
        change: 'what lies more than 4 levels deep is no more than named',
      },
    ]);
    expect(JSON.stringify(schema)).toContain('{"type":"object","description":"with in, other"}');
  });

  test('what is simple already: nothing, to the letter', () => {
    const schema = {
      title: 'args',
      properties: { a: { type: 'string', title: 'A', enum: ['x'] }, b: { type: 'array', items: {} } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(simplifySchema(schema)).toEqual({ schema, changes: [] });
    expect(simplifySchema(schema).schema).toBe(schema);
  });

  test('references that unfold without end, and depth without end', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}`, description: 'b' }] },
      ]),
    );
    const { schema, changes } = simplifySchema({
      type: 'object',
      properties: { a: { $ref: '#/$defs/d0' } },
      $defs: wide,
    });
    expect(changes.map(({ change }) => change)).toContain(
      'the schema is too large: here any value is allowed',
    );
    expect(JSON.stringify(schema).length).toBeLessThan(2000);
    let deep: object = { type: 'string' };
    for (let count = 0; count < 5000; count++) deep = { allOf: [deep] };
    expect(simplifySchema(deep as JsonSchema).changes.length).toBeGreaterThan(0);
  });
});

describe('laws', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const value = fc.constantFrom<unknown>('x', 'y', 1, 2.5, true, null, 'long text');
  const { node } = fc.letrec<{ node: object }>(tie => ({
    node: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom({ type: 'string' }, { type: 'integer' }, { type: 'null' }, { type: 'boolean' }, {}),
      fc.record(
        { type: fc.constant(['number', 'null']), maximum: fc.constant(2) },
        { requiredKeys: ['type'] },
      ),
      fc.record({ type: fc.constant('string'), minLength: fc.constant(2), description: fc.constant('D.') }),
      fc.record({ const: value }),
      fc.record({ enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }) }),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(name, tie('node'), { maxKeys: 3, noNullPrototype: true }),
          required: fc.uniqueArray(name, { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.boolean(), tie('node')),
        },
        { requiredKeys: ['properties'] },
      ),
      fc.record({ type: fc.constant('array'), items: tie('node') }),
      fc.record({
        type: fc.constant('array'),
        prefixItems: fc.array(tie('node'), { minLength: 1, maxLength: 2 }),
        items: fc.boolean(),
      }),
      fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
      fc.record(
        {
          allOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }),
          nullable: fc.boolean(),
          type: fc.constant('object'),
        },
        { requiredKeys: ['allOf', 'type'] },
      ),
      fc.constantFrom({ $ref: '#/$defs/one' }, { $ref: '#/$defs/two' }),
    ),
  }));
  const schema = fc
    .record({
      properties: fc.dictionary(name, node, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      one: node,
      two: node,
      more: fc.oneof(fc.constant({}), node),
    })
    .map(({ properties, one, two, more }) => ({
      ...more,
      type: 'object',
      properties,
      $defs: { one, two },
    })) as fc.Arbitrary<Exclude<JsonSchema, boolean>>;
  const { given } = fc.letrec<{ given: unknown }>(tie => ({
    given: fc.oneof(
      { maxDepth: 4 },
      value,
      fc.array(tie('given'), { maxLength: 3 }),
      fc.dictionary(name, tie('given'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  const args = fc.dictionary(name, given, { maxKeys: 3, noNullPrototype: true });

  const accepts = (one: JsonSchema) =>
    new Ajv2020({ strict: false, allErrors: true, logger: false, validateSchema: false }).compile(
      one as object,
    );
  /** Undefined where a reference is nothing but itself, which a validator follows without end. */
  function attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  test('what the original allows is forbidden only where the list of changes says so', () => {
    let compared = 0;
    let excused = 0;
    fc.assert(
      fc.property(schema, fc.array(args, { minLength: 20, maxLength: 40 }), (original, values) => {
        const allows = attempt(() => accepts(original));
        const { schema: simple, changes } = simplifySchema(original);
        const shown = accepts(simple);
        for (const one of values.filter(candidate => attempt(() => allows?.(candidate)))) {
          compared++;
          if (shown(one)) continue;
          excused++;
          for (const error of shown.errors ?? [])
            expect([error, covers(error, one, changes)]).toEqual([error, true]);
        }
      }),
      { numRuns: 1000 },
    );
    expect(compared).toBeGreaterThan(2000);
    expect(excused).toBeLessThan(compared / 5);
  });

  /** Whether a change that narrows is about this very error. */
  function covers(error: ErrorObject, root: unknown, changes: readonly SchemaChange[]): boolean {
    const place = error.schemaPath.slice(1).replace(/\/[^/]*$/, '');
    const refused = error.instancePath
      .split('/')
      .slice(1)
      .reduce((holder, key) => (holder as Record<string, unknown>)[key], root);
    return changes.some(({ path, change, narrows }) => {
      if (!narrows) return false;
      if (change.startsWith('null')) return path === place && refused === null;
      if (change.startsWith('its type')) return path === place && error.keyword === 'type';
      return place === path || place.startsWith(`${path}/`);
    });
  }

  test('the simplified schema has nothing but what small models follow, and is simple itself', () => {
    const known = [
      'type',
      'description',
      'enum',
      'default',
      'properties',
      'required',
      'items',
      'additionalProperties',
    ];
    const check = (one: Record<string, unknown>, level: number): void => {
      expect(level).toBeLessThanOrEqual(5);
      expect(Object.keys(one).filter(key => !known.includes(key))).toEqual([]);
      if ('type' in one) expect(typeof one.type).toBe('string');
      const inner = [...Object.values((one.properties ?? {}) as object), one.items, one.additionalProperties];
      for (const each of inner) if (each !== undefined) check(each as Record<string, unknown>, level + 1);
    };
    fc.assert(
      fc.property(schema, original => {
        const { schema: simple, changes } = simplifySchema(original);
        if (changes.length === 0) return;
        check(simple as Record<string, unknown>, 0);
        expect(simplifySchema(simple)).toEqual({ schema: simple, changes: [] });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a template with simplified schemas', () => {
  const tools = [
    {
      name: 'find',
      inputSchema: {
        type: 'object',
        properties: { at: { anyOf: [{ type: 'integer', minimum: 3 }, { type: 'null' }] } },
        required: ['at'],
      },
    },
  ];
  const messages = [{ role: 'user', content: 'Go.' }] as const;

  test.each(formats.map(format => [format.name, format] as const))(
    '%s shows them, and reads calls by the original',
    (_name, { template, parser }) => {
      const shown = promptText(withSimplifiedSchemas(template).render({ messages, tools }));
      expect(shown).not.toContain('anyOf');
      expect(shown).toMatch(/>= 3; or null/);
      const call = (text: string) => {
        const written = parser.write([
          { id: 'call00001', name: 'find', arguments: JSON.parse(text), argumentsText: text },
        ]);
        return readCompletion(parser, written, { tools });
      };
      expect(call('{"at":null}').calls).toHaveLength(1);
      const refused = call('{"at":2}');
      expect(refused.calls).toEqual([]);
      expect(refused.problems[0]).toMatchObject({
        problem: 'bad_arguments',
        message: expect.stringContaining('at must be >= 3'),
      });
    },
  );

  test('only the tools that were asked for', () => {
    const { template } = formatNamed('hermes');
    const other = { ...tools[0]!, name: 'other' };
    const shown = promptText(
      withSimplifiedSchemas(template, ({ name }) => name === 'find').render({
        messages,
        tools: [...tools, other],
      }),
    );
    expect(shown.match(/anyOf/g)).toHaveLength(1);
  });
});
