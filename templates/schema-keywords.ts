/** Finding one's way in a JSON Schema. */
import type { JsonSchema } from '../parsers/parser.ts';

/** Deeper parts of a schema are said as the JSON that they are: nobody nests so deep but to make trouble. */
export const deepest = 60;

export type Schema = Readonly<Record<string, unknown>>;

/** Empty for what is no object, such as the schema `true`. */
export function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

/** Empty for what is no list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What a `$ref` within the schema leads to; undefined where it leads nowhere or out of it. */
export function schemaAt(reference: string, root: JsonSchema): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let node: unknown = root;
  for (const key of pointerKeys(reference)) {
    const holds = typeof node === 'object' && node !== null && Object.hasOwn(node, key);
    node = holds ? (node as Schema)[key] : undefined;
  }
  return node;
}

/** The keys of a JSON pointer in a fragment; none for `#`. */
export function pointerKeys(reference: string): string[] {
  const [, ...parts] = reference.split('/');
  return parts.map(part => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
