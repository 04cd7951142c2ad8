/** A tool's JSON Schema as nodes with addresses: references, conjunctions and alternatives are followed here. */
import type { JsonSchema } from '../parser.ts';

export interface Node {
  readonly id: number;
  readonly schema: unknown;
  /** Its keywords; none for a boolean schema. */
  readonly keywords: Keywords;
  /** Its JSON pointer in the tool's schema. */
  readonly pointer: string;
}

export type Keywords = Readonly<Record<string, unknown>>;
/** Schemas that all hold for one value, references, `allOf` and one choice of each `anyOf` and `oneOf` included. */
export type Nodes = readonly Node[];
/** What cannot be said is reported with the node and the keyword. */
export type Report = (node: Node, keyword: string) => void;

export interface Schemas {
  readonly root: Node;
  child(node: Node, ...path: readonly (string | number)[]): Node;
  readonly report: Report;
  /** The alternatives for a value for which all these schemas hold. */
  alternatives(nodes: Nodes): readonly Nodes[];
}

/** More alternatives than this for one value are too many to write down. */
const maxAlternatives = 64;

export function openSchema(schema: JsonSchema, report: Report): Schemas {
  const nodes = new Map<string, Node>();
  const known = new Map<string, readonly Nodes[]>();
  const root = nodeAt('', schema);
  return { root, report, child, alternatives };

  function nodeAt(pointer: string, value: unknown): Node {
    const old = nodes.get(pointer);
    if (old) return old;
    const node = { id: nodes.size, schema: value, keywords: isObject(value) ? value : {}, pointer };
    nodes.set(pointer, node);
    return node;
  }

  function child(node: Node, ...path: readonly (string | number)[]): Node {
    let value = node.schema;
    let pointer = node.pointer;
    for (const step of path) {
      value = valueAt(value, String(step));
      pointer += `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    }
    return nodeAt(pointer, value);
  }

  function alternatives(all: Nodes): readonly Nodes[] {
    if (all.every(isPlain)) return all.some(node => node.schema === false) ? [] : [all];
    const key = keyOf(all);
    let found = known.get(key);
    if (!found) {
      found = expand(all, []);
      known.set(key, found);
    }
    return found;
  }

  function expand(all: Nodes, owners: Nodes): readonly Nodes[] {
    const flat = together(all);
    // A choice that leads back to itself adds no text.
    if (flat.some(node => node.schema === false || owners.includes(node))) return [];
    let out: readonly Nodes[] = [flat];
    for (const owner of flat) {
      for (const keyword of ['anyOf', 'oneOf']) {
        const list = owner.keywords[keyword];
        if (list === undefined) continue;
        if (!Array.isArray(list)) {
          report(owner, keyword);
          continue;
        }
        const branches = list.flatMap((_, index) =>
          expand([child(owner, keyword, index)], [...owners, owner]),
        );
        if (out.length * branches.length > maxAlternatives) report(owner, keyword);
        else out = out.flatMap(some => branches.map(more => distinct([...some, ...more])));
      }
    }
    return out;
  }

  /** With what is referred to, and with the parts of each `allOf`. */
  function together(all: Nodes): Nodes {
    const flat = new Set<Node>();
    const add = (node: Node) => {
      if (flat.has(node)) return;
      flat.add(node);
      const { $ref, allOf } = node.keywords;
      if ($ref !== undefined) {
        const target = typeof $ref === 'string' ? resolve($ref) : undefined;
        if (target) add(target);
        else report(node, '$ref');
      }
      if (Array.isArray(allOf)) for (const index of allOf.keys()) add(child(node, 'allOf', index));
      else if (allOf !== undefined) report(node, 'allOf');
    };
    all.forEach(add);
    return [...flat];
  }

  function resolve(reference: string): Node | undefined {
    if (reference === '#') return root;
    if (!reference.startsWith('#/')) return undefined;
    let node = root;
    for (const part of reference.slice(2).split('/')) {
      node = child(node, decode(part).replaceAll('~1', '/').replaceAll('~0', '~'));
    }
    return isSchema(node.schema) ? node : undefined;
  }
}

/** Whether it stands for itself alone. */
function isPlain({ keywords }: Node): boolean {
  const { $ref, allOf, anyOf, oneOf } = keywords;
  return $ref === undefined && allOf === undefined && anyOf === undefined && oneOf === undefined;
}

export function keyOf(nodes: Nodes): string {
  return nodes
    .map(node => node.id)
    .sort((a, b) => a - b)
    .join();
}

/** Whether it says nothing, or nothing of values. */
export function isOpen({ schema, keywords }: Node): boolean {
  return schema !== false && Object.keys(keywords).every(keyword => annotations.has(keyword));
}

const annotations = new Set([
  ...['$schema', '$id', '$comment', '$anchor', '$defs', 'definitions', 'title', 'description', 'default'],
  ...['examples', 'example', 'deprecated', 'readOnly', 'writeOnly'],
]);

export function reportAll(nodes: Nodes, keywords: readonly string[], report: Report): void {
  for (const node of nodes)
    for (const keyword of keywords) if (Object.hasOwn(node.keywords, keyword)) report(node, keyword);
}

export function isObject(value: unknown): value is Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value);
}

function distinct(nodes: Nodes): Nodes {
  return [...new Set(nodes)];
}

function valueAt(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, step) ? (value as Keywords)[step] : undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
