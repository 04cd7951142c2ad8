/** A JSON Schema as what its compact forms print: types, members, limits in words. Everything that it says of values is kept. */
import type { JsonSchema } from '../parsers/parser.ts';
import { asList, asSchema, deepest, pointerKeys, type Schema, schemaAt } from './schema-keywords.ts';
import { limits } from './schema-limits.ts';
import { json } from './schema-words.ts';

export type Type =
  | {
      readonly kind: 'word';
      readonly word: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'any' | 'never';
    }
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  | { readonly kind: 'list'; readonly item: Shape }
  | { readonly kind: 'tuple'; readonly items: readonly Shape[]; readonly rest?: Shape }
  /** `rest`: what members of other names are. */
  | { readonly kind: 'object'; readonly members: readonly Member[]; readonly rest?: Shape }
  /** One of the parts, or all of them at once. */
  | { readonly kind: 'either' | 'both'; readonly parts: readonly Shape[] }
  /** One of the schema's own definitions. */
  | { readonly kind: 'named'; readonly name: string };

export interface Shape {
  readonly type: Type;
  /** Limits and whatever else has no place in a type, each a few words without a line break. */
  readonly notes: readonly string[];
  /** As it was written, line breaks and all. */
  readonly description?: string;
  readonly default?: unknown;
}

export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

export interface Shapes {
  readonly root: Shape;
  /** What is referred to, in the order in which it is met. */
  readonly named: readonly { readonly name: string; readonly shape: Shape }[];
}

/** A reference that leads out of the schema is `any`, with a note that says where. */
export function readShapes(schema: JsonSchema): Shapes {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  let depth = 0;
  const root = shapeOf(schema);
  const named: { name: string; shape: Shape }[] = [];
  // A definition may refer to others: the map grows while it is walked.
  for (const [reference, name] of names)
    named.push({ name, shape: shapeOf(schemaAt(reference, schema) as JsonSchema) });
  const itself = names.get('#');
  return { root: itself === undefined ? root : { type: { kind: 'named', name: itself }, notes: [] }, named };

  function shapeOf(value: unknown): Shape {
    if (depth === deepest) return { type: { kind: 'word', word: 'any' }, notes: [json(value ?? true)] };
    depth++;
    const shape = read(value);
    depth--;
    return shape;
  }

  function read(value: unknown): Shape {
    if (value === false) return { type: { kind: 'word', word: 'never' }, notes: [] };
    const keywords = asSchema(value);
    const { $ref, allOf, anyOf, oneOf } = keywords;
    const parts = [
      ...own(keywords),
      ...(typeof $ref === 'string' ? [reference($ref)] : []),
      ...asList(allOf).map(shapeOf),
      ...[anyOf, oneOf].map(asList).flatMap(choices => (choices.length > 0 ? [either(choices)] : [])),
    ];
    const { type, notes } = joined(parts);
    const { description } = keywords;
    return {
      type: orNull(type, notes, keywords),
      notes: [...(nullable(keywords) ? [] : notes), ...limits(keywords, 'any')],
      ...(typeof description === 'string' && description.trim() !== '' ? { description } : {}),
      ...(keywords.default === undefined ? {} : { default: keywords.default }),
    };
  }

  /** What the schema says by itself, beside what it refers to and joins. */
  function own(keywords: Schema): Shape[] {
    const values = Object.hasOwn(keywords, 'const') ? [keywords.const] : asList(keywords.enum);
    if (values.length > 0) return [{ type: { kind: 'values', values }, notes: [] }];
    const types = typesOf(keywords).map(type => typed(type, keywords));
    if (types.length > 1) return [{ type: { kind: 'either', parts: types }, notes: [] }];
    return types;
  }

  function typed(type: string, keywords: Schema): Shape {
    const notes = limits(keywords, type);
    if (type === 'array') return { type: listOf(keywords), notes };
    if (type === 'object') return { type: objectOf(keywords), notes };
    const words = ['string', 'number', 'integer', 'boolean', 'null'] as const;
    return { type: { kind: 'word', word: words.find(word => word === type) ?? 'any' }, notes };
  }

  function listOf({ items, prefixItems, additionalItems }: Schema): Type {
    // Before 2020-12 `items` itself was the list of the first ones.
    const first = asList(prefixItems ?? items);
    const others = prefixItems === undefined && Array.isArray(items) ? additionalItems : items;
    if (first.length === 0) return { kind: 'list', item: shapeOf(others) };
    const rest = others === false ? {} : { rest: shapeOf(others) };
    return { kind: 'tuple', items: first.map(shapeOf), ...rest };
  }

  function objectOf({ properties, required, additionalProperties }: Schema): Type {
    const needed = new Set(asList(required).map(String));
    const declared = Object.entries(asSchema(properties)).map(([name, value]) => ({
      name,
      required: needed.has(name),
      shape: shapeOf(value),
    }));
    const known = new Set(declared.map(({ name }) => name));
    const others = [...needed].filter(name => !known.has(name));
    const members = [...declared, ...others.map(name => ({ name, required: true, shape: shapeOf(true) }))];
    const open = typeof additionalProperties === 'object' && additionalProperties !== null;
    if (open) return { kind: 'object', members, rest: shapeOf(additionalProperties) };
    if (members.length > 0 || additionalProperties === false || properties !== undefined)
      return { kind: 'object', members };
    return { kind: 'word', word: 'object' };
  }

  function either(choices: readonly unknown[]): Shape {
    const [only, ...others] = choices;
    if (others.length === 0) return shapeOf(only);
    return { type: { kind: 'either', parts: choices.map(shapeOf) }, notes: [] };
  }

  function reference($ref: string): Shape {
    if (schemaAt($ref, schema) === undefined)
      return { type: { kind: 'word', word: 'any' }, notes: [`see ${JSON.stringify($ref)}`] };
    const name = names.get($ref) ?? freeName($ref, taken);
    names.set($ref, name);
    taken.add(name);
    return { type: { kind: 'named', name }, notes: [] };
  }
}

function joined(parts: readonly Shape[]): Shape {
  const [only, ...others] = parts;
  if (!only) return { type: { kind: 'word', word: 'any' }, notes: [] };
  const plain = others.length === 0 && only.description === undefined && only.default === undefined;
  return plain ? only : { type: { kind: 'both', parts }, notes: [] };
}

/** OpenAPI's way to say that a value may be null. */
function nullable(keywords: Schema): boolean {
  const has = typesOf(keywords).includes('null') || asList(keywords.enum).includes(null);
  return keywords.nullable === true && !has;
}

function orNull(type: Type, notes: readonly string[], keywords: Schema): Type {
  if (!nullable(keywords)) return type;
  const nothing: Shape = { type: { kind: 'word', word: 'null' }, notes: [] };
  return { kind: 'either', parts: [{ type, notes }, nothing] };
}

/** Where no type is said, the one that the keywords are for. */
function typesOf({ type, properties, required, additionalProperties, items, prefixItems }: Schema): string[] {
  if (type !== undefined) return [type].flat().map(String);
  if (properties ?? required ?? additionalProperties) return ['object'];
  return (items ?? prefixItems) ? ['array'] : [];
}

/** The last part of the reference, as a name for a type that no other one has. */
function freeName(reference: string, taken: ReadonlySet<string>): string {
  const last = pointerKeys(reference).at(-1) ?? 'Arguments';
  const word = last.replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^(?=\p{N}|$)/u, '_');
  let name = word;
  for (let count = 2; taken.has(name); count++) name = `${word}${count}`;
  return name;
}
