/**
 * Values made for a schema, most of which fit it: with the members that it declares and no others, unless it speaks of others,
 * in the order in which a grammar has them.
 */
import type { JsonObject, JsonValue } from '../../../parsers/parser.ts';
import { checker, type Schema } from './schemas.ts';

export function instancesOf(root: Schema, random: () => number, count: number): JsonObject[] {
  const definitions = root.$defs as Record<string, unknown>;
  const unfit = new Error('Made for schemas that it does not all fit.');
  return Array.from({ length: count }, one).flatMap(value => (value && isObject(value) ? [value] : []));

  function one(): JsonValue | undefined {
    try {
      return make([root], 0);
    } catch (error) {
      if (error !== unfit) throw error;
      return undefined;
    }
  }

  /** A value for schemas that hold together. */
  function make(schemas: readonly unknown[], depth: number): JsonValue {
    // Some go on for ever: no value fits them.
    if (depth > 12) throw unfit;
    const all = flat(schemas);
    const value = makeOf(all, depth);
    // Another branch of a choice may fit all the same, but then it does not speak of all that is in the value.
    const parts = all.length > 1 ? all : [];
    for (const { $ref, anyOf, oneOf, allOf, ...own } of parts)
      if (checker({ ...own, $defs: definitions })(value) !== undefined) throw unfit;
    return value;
  }

  function makeOf(all: readonly Schema[], depth: number): JsonValue {
    const keywords = Object.assign({}, ...all.toReversed()) as Schema;
    const list = all.flatMap(one =>
      'const' in one ? [[one.const]] : Array.isArray(one.enum) ? [one.enum] : [],
    )[0];
    if (list) return pick(list) as JsonValue;
    const types = all.map(one => one.type).filter(one => one !== undefined)[0];
    const type =
      keywords.nullable === true && random() < 0.2 ? 'null' : pick([types ?? inferred(keywords)].flat());
    switch (type) {
      case 'null':
        return null;
      case 'boolean':
        return random() < 0.5;
      case 'integer':
        return Math.round(number(all));
      case 'number':
        return Math.round(number(all) * 1000) / 1000;
      case 'string':
        return text(keywords);
      case 'array':
        return list_(keywords, depth);
      case 'object':
        return object(all, depth);
      default:
        return anything(depth);
    }
  }

  function inferred(keywords: Schema): string {
    return 'minimum' in keywords ? 'number' : 'anything';
  }

  /** With references, all of `allOf` and one branch of each choice: its own members first. */
  function flat(schemas: readonly unknown[], depth = 0): Schema[] {
    const together: Schema[] = [];
    const add = (schema: unknown) => {
      if (schema === false) throw unfit;
      if (typeof schema !== 'object' || schema === null || together.includes(schema as Schema)) return;
      const one = schema as Schema;
      together.push(one);
      if (typeof one.$ref === 'string') add(definitions[one.$ref.slice('#/$defs/'.length)]);
      for (const part of (one.allOf as unknown[]) ?? []) add(part);
    };
    schemas.forEach(add);
    const chosen = together.flatMap(one =>
      [one.anyOf, one.oneOf].filter(Array.isArray).flatMap(list => flat([pick(list)], depth + 1)),
    );
    return [...new Set([...together, ...chosen])];
  }

  function object(all: readonly Schema[], depth: number): JsonObject {
    const declared = [...new Set(all.flatMap(one => Object.keys((one.properties as Schema) ?? {})))];
    const required = new Set(all.flatMap(one => (one.required as string[]) ?? []));
    const names = [
      ...declared.filter(name => required.has(name)),
      ...declared.filter(name => !required.has(name)),
    ];
    const out: [string, JsonValue][] = [];
    for (const name of names) {
      const own = all.flatMap(one => {
        const properties = (one.properties as Schema) ?? {};
        const patterns = Object.entries((one.patternProperties as Schema) ?? {});
        const matching = patterns
          .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
          .map(([, inner]) => inner);
        if (Object.hasOwn(properties, name)) return [properties[name], ...matching];
        return matching.length > 0 ? matching : (one.additionalProperties ?? []);
      });
      if (required.has(name) || (depth < 4 && random() < 0.4)) out.push([name, make(own, depth + 1)]);
    }
    const others = all.map(one => one.additionalProperties).filter(one => one !== undefined);
    const free = others.length > 0 || all.every(one => one.properties === undefined);
    if (free && !others.includes(false) && random() < 0.5 && depth < 4) {
      const name = pick(['k', 'zz', 'abcd', 'cit', '" "', '\\', 'ü\n😀', '<tool_call>', 'a[b]']);
      if (!declared.includes(name)) out.push([name, make(others, depth + 1)]);
    }
    return Object.fromEntries(out);
  }

  function list_(keywords: Schema, depth: number): JsonValue[] {
    const prefix = (keywords.prefixItems ??
      (Array.isArray(keywords.items) ? keywords.items : [])) as unknown[];
    const rest = Array.isArray(keywords.items) ? keywords.additionalItems : keywords.items;
    const min = Number(keywords.minItems ?? 0);
    const spoken = rest !== false && (rest !== undefined || prefix.length === 0 || min > prefix.length);
    const most = spoken ? 4 : prefix.length;
    const length = depth > 4 ? min : Math.min(Math.max(min, Math.floor(random() * 5)), Math.max(min, most));
    return Array.from({ length }, (_, index) =>
      make([index < prefix.length ? prefix[index] : (rest ?? true)], depth + 1),
    );
  }

  function number(all: readonly Schema[]): number {
    const read = (...names: string[]) =>
      all.flatMap(one => names.flatMap(name => (typeof one[name] === 'number' ? [one[name]] : [])));
    const low = Math.max(...read('minimum', 'exclusiveMinimum'), -2000);
    const high = Math.min(...read('maximum', 'exclusiveMaximum'), 2000);
    const value = pick([
      low,
      high,
      low + 1,
      high - 1,
      low + 0.001,
      high - 0.001,
      low + (high - low) * random(),
    ]);
    return random() < 0.1 ? Math.round(value) : value;
  }

  function text({ pattern, format, minLength = 0, maxLength = 8 }: Schema): string {
    if (typeof pattern === 'string' || typeof format === 'string')
      return pick(examples[String(pattern ?? format)] ?? examples.other!);
    const most = Math.min(Number(maxLength), Number(minLength) + 8);
    const length = Number(minLength) + Math.floor(random() * (most - Number(minLength) + 1));
    return Array.from({ length }, () => pick(characters)).join('');
  }

  function anything(depth: number): JsonValue {
    const leaf = pick<JsonValue>([
      null,
      true,
      0,
      -12,
      2.5,
      1e21,
      1e-7,
      9007199254740991,
      'x',
      '<tool_call>',
      'é"\\\n',
    ]);
    if (depth > 3 || random() < 0.5) return leaf;
    return random() < 0.5
      ? [leaf, anything(depth + 1)]
      : { [pick(['', 'k', 'a"b', 'ü'])]: anything(depth + 1) };
  }

  function pick<T>(items: readonly T[]): T {
    return items[Math.floor(random() * items.length)] as T;
  }
}

const characters = [
  'a',
  'B',
  '0',
  ' ',
  '"',
  '\\',
  '\n',
  '\t',
  '\u0001',
  '\u007f',
  '/',
  'é',
  '懶',
  '😀',
  '<',
  '[',
  '\u2028',
];

/** Texts that fit a pattern or a format, in ways that are easily forgotten. */
const examples: Record<string, readonly string[]> = {
  '^[a-c]+$': ['a', 'abc', 'ccab'],
  '^\\d{2,4}$': ['00', '123', '9876'],
  '^(?:ab|cd)?x*$': ['', 'ab', 'cdx', 'xxx'],
  foo: ['foo', 'a foo', 'fofoo!', '"foo"\n'],
  '^a': ['a', 'a\n"', 'aa'],
  b$: ['b', '"b', 'abb'],
  '^[^"]*$': ['', 'x\\y', '\u0001\n😀'],
  '^a|b$': ['a', 'b', 'ax', 'xb'],
  '^\\S+@\\S+$': ['a@b', '@@@', '"@\\'],
  '^(?!x).*$': ['a', ''],
  '\\bword\\b': ['a word'],
  '^(a*)*$': ['', 'aaa'],
  '^\\p{L}+$': ['é懶'],
  '[': ['any'],
  '^[\\w.-]{1,3}$': ['a', '.-_', 'Z09'],
  '^"\\\\\\n$': ['"\\\n'],
  '^.{2}$': ['ab', '😀😀', '"\\', '\t\u0000'],
  '^$': [''],
  date: ['2024-02-29', '2000-02-29', '1999-12-31', '2023-04-30', '0001-01-01'],
  time: ['00:00:00Z', '23:59:59.123456+05:30', '12:30:00-11:00'],
  'date-time': ['2024-02-29T12:00:00Z', '2026-11-30T09:30:29.001+01:00'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', 'ABCDEFAB-0000-0000-0000-00000000000F'],
  email: ['ann@example.org', "o'neil+x@sub.example.org"],
  uri: ['https://example.org/?q=a&b#c', 'mailto:a@b'],
  ipv4: ['0.0.0.0', '255.255.255.255', '192.168.1.10'],
  other: ['red', '#fff'],
};

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
