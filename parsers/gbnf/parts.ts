/** The schemas of an object's members and of a list's items. */
import { isObject, isSchema, type Node, type Nodes, type Report, type Schemas } from './schema.ts';

/** What holds for the member of this name: in each schema its own entry, or what is said of all others. */
export function memberNodes(all: Nodes, name: string, schemas: Schemas): Nodes {
  return all.flatMap(node => {
    const { properties, patternProperties, additionalProperties } = node.keywords;
    const own: Node[] = [];
    if (isObject(properties) && Object.hasOwn(properties, name))
      own.push(schemas.child(node, 'properties', name));
    for (const pattern of Object.keys(isObject(patternProperties) ? patternProperties : {}))
      if (tests(pattern, name)) own.push(schemas.child(node, 'patternProperties', pattern));
    if (own.length > 0) return own;
    return isSchema(additionalProperties) ? [schemas.child(node, 'additionalProperties')] : [];
  });
}

/** The names of the declared members in the order that a call has them: required ones first. */
export function memberNames(all: Nodes, report: Report): readonly string[] {
  const declared = all.flatMap(node => {
    const { properties } = node.keywords;
    if (properties !== undefined && !isObject(properties)) report(node, 'properties');
    return isObject(properties) ? Object.keys(properties) : [];
  });
  const required = requiredNames(all, report);
  const needed = new Set(required);
  return [...new Set([...declared.filter(name => needed.has(name)), ...required, ...declared])];
}

export function requiredNames(all: Nodes, report: Report): readonly string[] {
  return all.flatMap(node => {
    const { required } = node.keywords;
    if (required === undefined) return [];
    if (Array.isArray(required) && required.every(one => typeof one === 'string')) return required;
    report(node, 'required');
    return [];
  });
}

/** How many items have a schema of their own. */
export function prefixLength(all: Nodes): number {
  return Math.max(0, ...all.map(node => prefixOf(node)?.length ?? 0));
}

/** What holds for the item at this place. */
export function itemNodes(all: Nodes, index: number, schemas: Schemas): Nodes {
  return all.flatMap(node => {
    const prefix = prefixOf(node);
    if (prefix && index < prefix.length) return [schemas.child(node, prefix.keyword, index)];
    const rest = prefix?.keyword === 'items' ? 'additionalItems' : 'items';
    return isSchema(node.keywords[rest]) ? [schemas.child(node, rest)] : [];
  });
}

/** A list of item schemas: `prefixItems`, or `items` before 2020-12. */
function prefixOf({ keywords }: Node): { keyword: 'prefixItems' | 'items'; length: number } | undefined {
  for (const keyword of ['prefixItems', 'items'] as const) {
    const list = keywords[keyword];
    if (Array.isArray(list)) return { keyword, length: list.length };
  }
  return undefined;
}

function tests(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}
