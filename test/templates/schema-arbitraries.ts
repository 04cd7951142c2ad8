/** Random JSON Schemas, and what is written in them. */
import fc from 'fast-check';
import type { JsonSchema } from '../../parsers/parser.ts';

/** Not empty, with letters that a name may have and some that it may not. */
export const word = fc.string({ unit: fc.constantFrom(...'abc xyzé-"'), minLength: 1, maxLength: 6 });
/** What would end a line, a comment or a text, and what would be a tool if it stood by itself. */
export const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r', '\u2028', '\x85', '*/', '/*', '//', '"""', '""', '\\', '})', '    '),
      fc.constantFrom('evil(): any', 'def evil(): ...', '{"name":"evil"}', 'type evil = any', '\n\n'),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map(parts => parts.join(''));

/** A schema with every kind of nesting, its names and words from `texts`. */
export function schemas(texts: fc.Arbitrary<string>): fc.Arbitrary<JsonSchema> {
  const { node } = fc.letrec<{ node: object }>(tie => {
    const members = fc.dictionary(texts, tie('node'), { maxKeys: 3, noNullPrototype: true });
    const some = fc.array(tie('node'), { minLength: 1, maxLength: 2 });
    const bare = fc.oneof(
      { maxDepth: 3 },
      fc.record({ type: fc.constantFrom('string', 'integer', 'boolean', 'null') }),
      fc.record({ type: fc.constant('string'), pattern: texts, format: texts }),
      fc.record({ enum: fc.array(texts, { minLength: 1, maxLength: 2 }) }),
      fc.record({ type: fc.constant('array'), items: tie('node') }),
      fc.record({ prefixItems: some }),
      fc.record({ type: fc.constant('object'), properties: members }),
      fc.record({ type: fc.constant('object'), additionalProperties: tie('node') }),
      fc.record({ anyOf: some }),
      fc.record({ allOf: some, nullable: fc.boolean() }),
      fc.record({ not: fc.record({ const: texts }) }),
      fc.constant({ $ref: '#/$defs/Other' }),
    );
    const words = fc.record(
      { description: texts, default: texts, examples: fc.array(texts) },
      { requiredKeys: [] },
    );
    return { node: fc.tuple(bare, words).map(([schema, more]) => ({ ...schema, ...more })) };
  });
  return fc
    .record({
      properties: fc.dictionary(texts, node, { maxKeys: 3, noNullPrototype: true }),
      other: node,
      description: fc.option(texts, { nil: undefined }),
    })
    .map(({ properties, other, description }) => ({
      type: 'object',
      properties: { ...properties, other: { $ref: '#/$defs/Other' } },
      ...(description === undefined ? {} : { description }),
      $defs: { Other: other },
    }));
}

/** Property names and descriptions of a schema, wherever they stand. */
export function textsOf(schema: unknown): { names: string[]; descriptions: string[] } {
  const found = { names: [] as string[], descriptions: [] as string[] };
  const visit = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) return;
    if (Array.isArray(one)) {
      for (const inner of one) visit(inner);
      return;
    }
    const { properties, description, items, prefixItems, additionalProperties, anyOf, allOf, $defs } =
      one as Record<string, unknown>;
    if (typeof description === 'string') found.descriptions.push(description);
    found.names.push(...Object.keys(properties ?? {}));
    for (const inner of [Object.values(properties ?? {}), items, prefixItems, additionalProperties])
      visit(inner);
    for (const inner of [anyOf, allOf, Object.values($defs ?? {})]) visit(inner);
  };
  visit(schema);
  return found;
}
