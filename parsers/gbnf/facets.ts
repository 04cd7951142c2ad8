/** What schemas that hold together say of a value: its types, its finite list of values, its bounds. */
import type { JsonValue } from '../parser.ts';
import { isObject, type Nodes, type Report } from './schema.ts';

/** `number` is two kinds here, so that kinds are either the same or have nothing in common. */
export type Kind = 'null' | 'boolean' | 'integer' | 'fraction' | 'string' | 'array' | 'object';

const kindsOfType: Record<string, readonly Kind[]> = {
  null: ['null'],
  boolean: ['boolean'],
  integer: ['integer'],
  number: ['integer', 'fraction'],
  string: ['string'],
  array: ['array'],
  object: ['object'],
};
const everyKind: ReadonlySet<Kind> = new Set(Object.values(kindsOfType).flat());

const keywordsOf: readonly (readonly [kinds: readonly Kind[], keywords: readonly string[]])[] = [
  [['string'], ['minLength', 'maxLength', 'pattern', 'format']],
  [
    ['integer', 'fraction'],
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ],
  [['array'], ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  [
    ['object'],
    [
      ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
      ...['minProperties', 'maxProperties'],
    ],
  ],
];

/**
 * The kinds a value may be of. A schema that names no type but has the keywords of one, `properties` say, means that one:
 * it would allow any other, which nobody wants written.
 */
export function kindsOf(nodes: Nodes, report: Report): ReadonlySet<Kind> {
  const allowed = allowedKinds(nodes, report);
  if (nodes.some(node => node.keywords.type !== undefined)) return allowed;
  const meant = keywordsOf
    .filter(([, keywords]) => nodes.some(node => keywords.some(one => Object.hasOwn(node.keywords, one))))
    .flatMap(([kinds]) => kinds);
  return meant.length > 0 ? new Set(meant.filter(kind => allowed.has(kind))) : allowed;
}

/** The kinds that fit, meant or not. */
export function allowedKinds(nodes: Nodes, report: Report): ReadonlySet<Kind> {
  let kinds: ReadonlySet<Kind> = everyKind;
  for (const node of nodes) {
    const { type, nullable, multipleOf } = node.keywords;
    if (type !== undefined) {
      const own = kindsNamed(type, nullable === true);
      if (!own) report(node, 'type');
      else kinds = kinds === everyKind ? own : new Set([...kinds].filter(kind => own.has(kind)));
    }
    if (multipleOf === 1) kinds = new Set([...kinds].filter(kind => kind !== 'fraction'));
  }
  return kinds;
}

/** Undefined: one of the names is none of a type. */
function kindsNamed(type: unknown, nullable: boolean): ReadonlySet<Kind> | undefined {
  const kinds = new Set<Kind>(nullable ? ['null'] : []);
  for (const name of [type].flat()) {
    if (typeof name !== 'string' || !Object.hasOwn(kindsOfType, name)) return undefined;
    for (const kind of kindsOfType[name] ?? []) kinds.add(kind);
  }
  return kinds;
}

/** The values that `enum` and `const` leave; undefined where there are neither. */
export function listedValues(nodes: Nodes, report: Report): readonly JsonValue[] | undefined {
  let values: readonly JsonValue[] | undefined;
  for (const node of nodes) {
    const { keywords } = node;
    const lists: (readonly JsonValue[])[] = [];
    if (Array.isArray(keywords.enum)) lists.push(keywords.enum as JsonValue[]);
    else if (keywords.enum !== undefined) report(node, 'enum');
    if (Object.hasOwn(keywords, 'const')) lists.push([keywords.const as JsonValue]);
    for (const list of lists) {
      const allowed = new Set(list.map(canonical));
      values = values ? values.filter(value => allowed.has(canonical(value))) : list;
    }
  }
  return values && [...new Map(values.map(value => [canonical(value), value])).values()];
}

export function sameValue(a: JsonValue, b: JsonValue): boolean {
  return canonical(a) === canonical(b);
}

/** The same text for equal values. */
function canonical(value: JsonValue): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  return JSON.stringify(value, (_, inner: JsonValue) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

export function kindOf(value: JsonValue): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  return typeof value as Kind;
}

export interface Limits {
  readonly min: number;
  readonly max: number;
}

/** The tightest of all the limits that a pair of keywords sets, such as `minLength` and `maxLength`. */
export function limits(nodes: Nodes, min: string, max: string, report: Report): Limits {
  const read = (keyword: string) =>
    nodes.flatMap(node => {
      const value = node.keywords[keyword];
      if (value === undefined) return [];
      if (typeof value === 'number' && value >= 0) return [Math.floor(value)];
      report(node, keyword);
      return [];
    });
  return { min: Math.max(0, ...read(min)), max: Math.min(Number.POSITIVE_INFINITY, ...read(max)) };
}

export interface Bounds {
  readonly min: Bound | undefined;
  readonly max: Bound | undefined;
}

export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

export function bounds(nodes: Nodes, report: Report): Bounds {
  return {
    min: bound(nodes, 'minimum', 'exclusiveMinimum', 1, report),
    max: bound(nodes, 'maximum', 'exclusiveMaximum', -1, report),
  };
}

/** The tightest; `sign` says which way is tighter. In draft 4, `exclusiveMinimum: true` goes with a `minimum`. */
function bound(
  nodes: Nodes,
  inclusive: string,
  exclusive: string,
  sign: 1 | -1,
  report: Report,
): Bound | undefined {
  const found: Bound[] = [];
  for (const node of nodes) {
    const [at, beyond] = [node.keywords[inclusive], node.keywords[exclusive]];
    if (typeof at === 'number') found.push({ value: at, exclusive: beyond === true });
    else if (at !== undefined) report(node, inclusive);
    if (typeof beyond === 'number') found.push({ value: beyond, exclusive: true });
    else if (beyond !== undefined && typeof beyond !== 'boolean') report(node, exclusive);
  }
  return found.reduce<Bound | undefined>((tightest, one) => {
    if (!tightest) return one;
    const difference = (one.value - tightest.value) * sign;
    return difference > 0 || (difference === 0 && one.exclusive) ? one : tightest;
  }, undefined);
}
