/** What a tool's schema says of the value that is being read. Only what it says plainly: everything else may be anything. */
import type { JsonSchema } from './parser.ts';

export interface Guide {
  /** The JSON types that fit; undefined: any. */
  readonly types: ReadonlySet<string> | undefined;
  /** Whether the schema lists this text among the values it allows. */
  lists(text: string): boolean;
  /** Whether an object has a member of this name; undefined where the schema does not say. */
  has(key: string): boolean | undefined;
  member(key: string): Guide;
  item(index: number): Guide;
}

type SchemaObject = Readonly<Record<string, unknown>>;

export const anything: Guide = {
  types: undefined,
  lists: () => false,
  has: () => undefined,
  member: () => anything,
  item: () => anything,
};

export function schemaGuide(schema: JsonSchema | undefined): Guide {
  return isObject(schema) ? guide([schema], schema) : anything;
}

function guide(schemas: readonly unknown[], root: SchemaObject): Guide {
  const options = expand(schemas, root, 0);
  if (options.length === 0) return anything;
  let items: Guide | undefined;
  return {
    types: typesOf(options),
    lists: text =>
      options.some(
        one =>
          (one.const === text || (Array.isArray(one.enum) && one.enum.includes(text))) &&
          (one.type === undefined || [one.type].flat().includes('string')),
      ),
    has(key) {
      if (options.some(one => isObject(one.properties) && Object.hasOwn(one.properties, key))) return true;
      const closed = options.every(one => isObject(one.properties) && !isObject(one.additionalProperties));
      return closed ? false : undefined;
    },
    member(key) {
      return guide(
        options.flatMap(one => {
          const own = isObject(one.properties) && Object.hasOwn(one.properties, key);
          if (own) return [(one.properties as SchemaObject)[key]];
          return isObject(one.additionalProperties) ? [one.additionalProperties] : [];
        }),
        root,
      );
    },
    item(index) {
      if (options.some(one => Array.isArray(one.prefixItems))) {
        return guide(
          options.flatMap(one =>
            Array.isArray(one.prefixItems) ? [one.prefixItems[index] ?? one.items] : [one.items],
          ),
          root,
        );
      }
      items ??= guide(
        options.map(one => one.items),
        root,
      );
      return items;
    },
  };
}

/** What a schema is made of, side by side: what it refers to, what it joins or leaves a choice of, and what it says beside that. */
function expand(schemas: readonly unknown[], root: SchemaObject, depth: number): SchemaObject[] {
  return schemas.filter(isObject).flatMap(schema => {
    if (depth > 8) return [schema];
    const { $ref, allOf, anyOf, oneOf } = schema;
    const target = typeof $ref === 'string' ? resolve($ref, root) : undefined;
    const choices = [anyOf, oneOf].filter(Array.isArray).flat().map(openList);
    const joined = Array.isArray(allOf) ? allOf : [];
    const parts = expand([target, ...joined, ...choices], root, depth + 1);
    if (parts.length === 0) return [schema];
    const own = asTyped(schema);
    return own.length === 0 ? parts : [...own, ...parts.flatMap(asTyped)];
  });
}

/** One choice among others: a list whose items it does not speak of may hold anything, whatever the other choices say. */
function openList(schema: unknown): unknown {
  if (!isObject(schema) || schema.items !== undefined) return schema;
  return [schema.type].flat().includes('array') ? { ...schema, items: {} } : schema;
}

/** The schema, if it says which types fit; members are an object's. */
function asTyped(schema: SchemaObject): SchemaObject[] {
  const { type } = schema;
  const says =
    typeof type === 'string' || [type, schema.enum].some(Array.isArray) || Object.hasOwn(schema, 'const');
  if (says) return [schema];
  return isObject(schema.properties) ? [{ type: 'object', ...schema }] : [];
}

function resolve(reference: string, root: SchemaObject): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let node: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    node = isObject(node) ? node[key] : undefined;
  }
  return node;
}

function typesOf(options: readonly SchemaObject[]): ReadonlySet<string> | undefined {
  const types = new Set<string>();
  for (const one of options) {
    const { type, nullable } = one;
    const values = Array.isArray(one.enum) ? one.enum : Object.hasOwn(one, 'const') ? [one.const] : undefined;
    if (typeof type === 'string') types.add(type);
    else if (Array.isArray(type)) for (const each of type) types.add(String(each));
    else if (values) for (const value of values) types.add(typeOf(value));
    else return undefined;
    if (nullable === true) types.add('null');
  }
  return types;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
