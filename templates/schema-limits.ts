/** What a schema says of its values besides their type, in a few words each. No words hold a line break. */
import { asList, type Schema } from './schema-keywords.ts';
import { json } from './schema-words.ts';

/** What has no shorter way to be said than JSON. */
const saidAsJson = [
  ...['not', 'if', 'then', 'else', 'dependencies', 'dependentRequired', 'dependentSchemas'],
  ...['patternProperties', 'propertyNames', 'contains', 'minContains', 'maxContains'],
  ...['unevaluatedItems', 'contentEncoding', 'contentMediaType'],
];

const byType: Record<string, (schema: Schema) => string[]> = {
  string: schema => [...count(schema, 'Length', 'chars'), ...pattern(schema)],
  number: bounds,
  integer: bounds,
  array: schema => [...count(schema, 'Items', 'items'), ...(schema.uniqueItems === true ? ['unique'] : [])],
  object: schema => count(schema, 'Properties', 'members'),
};

/** Those of one type; those of `any` are the ones that hold for every type, and where no type is said all of them. */
export function limits(schema: Schema, type: string): string[] {
  if (type !== 'any') return byType[type]?.(schema) ?? [];
  const untyped = ['type', 'enum', 'const'].every(key => schema[key] === undefined);
  const shaped = ['properties', 'required', 'items', 'prefixItems'].some(key => schema[key] !== undefined);
  const each = [byType.string, byType.number, byType.array, byType.object];
  return [
    ...(untyped && !shaped ? each.flatMap(one => one?.(schema) ?? []) : []),
    ...(typeof schema.format === 'string' ? [word(schema.format)] : []),
    ...saidAsJson.filter(key => schema[key] !== undefined).map(key => `${key} ${json(schema[key])}`),
    ...(asList(schema.examples).length > 0 ? [`e.g. ${asList(schema.examples).map(json).join(', ')}`] : []),
    ...(schema.deprecated === true ? ['deprecated'] : []),
  ];
}

function count(schema: Schema, what: string, unit: string): string[] {
  return range(schema[`min${what}`], schema[`max${what}`]).map(words => `${words} ${unit}`);
}

/** In draft 4 a bound is exclusive where a keyword beside it says so. */
function bounds(schema: Schema): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  return [
    ...range(
      exclusiveMinimum === true ? undefined : minimum,
      exclusiveMaximum === true ? undefined : maximum,
    ),
    ...(typeof above === 'number' ? [`> ${above}`] : []),
    ...(typeof below === 'number' ? [`< ${below}`] : []),
    ...(typeof multipleOf === 'number' ? [`multiple of ${multipleOf}`] : []),
  ];
}

function range(least: unknown, most: unknown): string[] {
  const from = typeof least === 'number' ? least : undefined;
  const to = typeof most === 'number' ? most : undefined;
  if (from !== undefined && to !== undefined) return [from === to ? `${from}` : `${from}..${to}`];
  if (from !== undefined) return [`>= ${from}`];
  return to === undefined ? [] : [`<= ${to}`];
}

/** As a regular expression's literal, in which a line break is written as an escape. */
function pattern({ pattern: source }: Schema): string[] {
  if (typeof source !== 'string') return [];
  const literal = source.replace(/\\[\s\S]|[/\p{Cc}\p{Zl}\p{Zp}]/gu, found => {
    if (found === '/') return '\\/';
    return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(found) ? escaped(found.slice(-1)) : found;
  });
  return [`/${literal || '(?:)'}/`];
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function word(format: string): string {
  return /^[\w.:-]+$/.test(format) ? format : json(format);
}
