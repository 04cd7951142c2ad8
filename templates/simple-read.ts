/** Reads a JSON Schema as a simple one, and lists what had to be changed. */
import type { JsonSchema } from '../parsers/parser.ts';
import { asList, asSchema, deepest, type Schema, schemaAt } from './schema-keywords.ts';
import { limits } from './schema-limits.ts';
import {
  anything,
  both,
  either,
  type Simple,
  type SimpleType,
  simpleTypes,
  widerOf,
  wordsOf,
} from './simple-shape.ts';
import type { SchemaChange } from './simplify.ts';

const maxLevels = 4;
/** References and choices of references may unfold to more than anybody can read. */
const maxNodes = 2000;

/** Where a schema stands: its path in what comes out, how many objects and lists are around it, and the references that led there. */
interface Place {
  readonly path: readonly string[];
  readonly level: number;
  readonly references: readonly string[];
}

/** Keywords that are left out without a word in the description. */
const leftOut = [
  ...['not', 'if', 'then', 'else', 'dependencies', 'dependentRequired', 'dependentSchemas', 'contains'],
  ...['minContains', 'maxContains', 'patternProperties', 'propertyNames', 'unevaluatedItems'],
  ...['unevaluatedProperties', 'contentEncoding', 'contentMediaType', 'contentSchema', '$dynamicRef'],
];

export function readSimple(root: JsonSchema): {
  readonly simple: Simple;
  readonly changes: readonly SchemaChange[];
} {
  const changes = new Map<string, SchemaChange>();
  let nodes = 0;
  let depth = 0;
  const simple = read(root, { path: [], level: 0, references: [] }) ?? anything;
  // The arguments of a call are an object, whether the schema says so or not.
  return { simple: { ...simple, type: 'object' }, changes: [...changes.values()] };

  function tell({ path }: Pick<Place, 'path'>, change: string, narrows = false): void {
    const pointer = path.map(step => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    changes.set(`${pointer} ${change}`, { path: pointer, change, ...(narrows ? { narrows: true } : {}) });
  }

  /** Undefined where there is no value at all. */
  function read(value: unknown, place: Place): Simple | undefined {
    if (value === false) return undefined;
    if (++nodes > maxNodes || depth === deepest) {
      tell(place, 'the schema is too large: here any value is allowed');
      return anything;
    }
    depth++;
    const simple = readKeywords(value, place);
    depth--;
    return simple;
  }

  function readKeywords(value: unknown, place: Place): Simple | undefined {
    const keywords = asSchema(value);
    for (const key of leftOut) if (keywords[key] !== undefined) tell(place, `"${key}" is left out`);
    const parts = [own(keywords, place), ...referred(keywords, place), ...allOf(keywords, place)];
    for (const key of ['anyOf', 'oneOf'])
      if (asList(keywords[key]).length > 0) parts.push(choice(key, asList(keywords[key]), place));
    let joined: Simple | undefined = anything;
    for (const part of parts) joined = joined && part && both(joined, part);
    if (!joined) return undefined;
    return withWords(joined, keywords, place);
  }

  function withWords(simple: Simple, { description, default: preset }: Schema, place: Place): Simple {
    const words = typeof description === 'string' && description.trim() !== '' ? { description } : {};
    const given = preset === undefined || preset === null ? {} : { default: preset };
    // What a schema says of itself stands before what the schemas that it is made of say.
    const { description: inner, ...rest } = simple;
    const merged = both(
      { ...words, ...given, notes: [] },
      { ...rest, ...(inner ? { description: inner } : {}) },
    );
    if (preset === null && simple.type !== 'null') tell(place, 'the default null is left out');
    return merged;
  }

  function own(keywords: Schema, place: Place): Simple | undefined {
    const isConst = Object.hasOwn(keywords, 'const');
    const values = isConst ? [keywords.const] : asList(keywords.enum);
    if (values.length > 0) {
      if (isConst) tell(place, '"const" is an "enum" of one value');
      const listed = valuesOf(values, place);
      const [type, ...more] = keywords.type === undefined ? [] : typesOf(keywords, place);
      return type && more.length === 0 ? { ...listed, type } : listed;
    }
    const types = typesOf(keywords, place);
    if (types.length === 0) return anything;
    if (types.length > 1) tell(place, 'several types are said in words');
    const all = types.map(type => typed(type, keywords, place));
    const joined = either(all, path => narrowed(place, path));
    return isNullable(keywords) && !types.includes('null') ? nullInWords(joined) : joined;
  }

  /** The type that all values have; `null` among others is said in words. */
  function valuesOf(values: readonly unknown[], place: Place): Simple {
    const kept = values.filter(value => value !== null);
    if (kept.length < values.length && kept.length > 0) orNull(place);
    if (kept.length === 0) return { type: 'null', notes: [] };
    const type = widerOf(kept.map(typeOfValue));
    const notes = kept.length < values.length ? ['or null'] : [];
    return { ...(type ? { type } : {}), notes, enum: kept };
  }

  function orNull(place: Place): void {
    tell(place, 'null is said in words', true);
  }

  function narrowed(place: Place, path: readonly string[]): void {
    tell({ path: [...place.path, ...path] }, 'only some of the choices say this of the member', true);
  }

  function typesOf(keywords: Schema, place: Place): SimpleType[] {
    const said = [keywords.type].flat();
    const types = simpleTypes.filter(type => said.includes(type));
    if (keywords.type === undefined) {
      const implied = impliedType(keywords);
      if (!implied) return [];
      if (place.path.length > 0) tell(place, `its type, ${implied}, is said`, true);
      return [implied];
    }
    const others = types.filter(type => type !== 'null');
    if (isNullable(keywords) && others.length > 0) orNull(place);
    return others.length > 0 ? others : types;
  }

  function typed(type: SimpleType, keywords: Schema, place: Place): Simple {
    const notes = limitsOf(type, keywords, place);
    if (type === 'array') {
      const { items, order } = list(keywords, place);
      return { type, notes: [...notes, ...order], ...(items ? { items } : {}) };
    }
    if (type === 'object') {
      const members = object(keywords, place);
      return { ...members, type, notes: [...notes, ...members.notes] };
    }
    return { type, notes };
  }

  function limitsOf(type: SimpleType, keywords: Schema, place: Place): readonly string[] {
    const { format, examples } = keywords;
    const words = [
      ...limits(keywords, type),
      ...(typeof format === 'string' ? [formatWords[format] ?? format] : []),
      ...limits({ type, ...(examples === undefined ? {} : { examples }) }, 'any'),
    ];
    if (words.length > 0) tell(place, 'limits, formats and examples are said in words');
    return words;
  }

  function object(keywords: Schema, place: Place): Omit<Simple, 'type'> {
    const { properties, required, additionalProperties, patternProperties } = keywords;
    const declared = Object.entries(asSchema(properties));
    const needed = asList(required).map(String);
    const open = typeof additionalProperties === 'object' && additionalProperties !== null;
    if (place.level >= maxLevels) {
      if (declared.length > 0 || open) tooDeep(place);
      return { notes: declared.length > 0 ? [`with ${declared.map(([name]) => name).join(', ')}`] : [] };
    }
    const members = new Map<string, Simple>();
    for (const [name, value] of declared) {
      const member = read(value, inside(place, 'properties', name));
      if (member) members.set(name, member);
      else tell(place, `the member ${JSON.stringify(name)}, which can have no value, is left out`);
    }
    for (const name of needed) if (!members.has(name)) members.set(name, anything);
    const rest = open && !patternProperties;
    const others = rest ? read(additionalProperties, inside(place, 'additionalProperties')) : undefined;
    if (open && patternProperties) tell(place, '"additionalProperties" is left out');
    return {
      notes: [],
      ...(members.size > 0 || properties !== undefined ? { properties: members } : {}),
      ...(needed.length > 0 ? { required: [...new Set(needed)] } : {}),
      ...(additionalProperties === false && !patternProperties ? { closed: true } : {}),
      ...(others ? { others } : {}),
    };
  }

  function tooDeep(place: Place): void {
    tell(place, `what lies more than ${maxLevels} levels deep is no more than named`);
  }

  function list(
    keywords: Schema,
    place: Place,
  ): { readonly items?: Simple | undefined; readonly order: readonly string[] } {
    const { items, prefixItems, additionalItems, maxItems } = keywords;
    const inner = inside(place, 'items');
    const first = asList(prefixItems ?? items);
    if (place.level >= maxLevels) {
      if (first.length > 0 || Object.keys(asSchema(items)).length > 0) tooDeep(place);
      return { order: [] };
    }
    if (first.length === 0) {
      const one = items === undefined ? undefined : read(items, inner);
      return { order: [], items: one === anything ? undefined : one };
    }
    tell(place, 'which item is which is said in words');
    const each = first.flatMap(one => read(one, inner) ?? []);
    const order = [`in this order: ${each.map(wordsOf).join(', ')}`];
    const rest = prefixItems === undefined ? additionalItems : items;
    const closed = rest === false || (typeof maxItems === 'number' && maxItems <= first.length);
    if (!closed || each.length === 0) return { order };
    return { order, items: either(each, path => narrowed(inner, path)) };
  }

  function referred({ $ref }: Schema, place: Place): (Simple | undefined)[] {
    if (typeof $ref !== 'string') return [];
    const target = schemaAt($ref, root);
    if (target === undefined) {
      tell(place, `"$ref" leads nowhere: ${$ref}`);
      return [anything];
    }
    if (place.references.includes($ref)) {
      tell(place, 'a schema that holds itself ends here');
      const type = simpleTypes.find(one => one === asSchema(target).type) ?? impliedType(asSchema(target));
      return [{ notes: ['of the same form as what it is in'], ...(type ? { type } : {}) }];
    }
    tell(place, '"$ref" is written out');
    return [read(target, { ...place, references: [...place.references, $ref] })];
  }

  function allOf({ allOf: parts }: Schema, place: Place): (Simple | undefined)[] {
    if (asList(parts).length > 0) tell(place, '"allOf" is one schema');
    return asList(parts).map(part => read(part, place));
  }

  function choice(key: string, parts: readonly unknown[], place: Place): Simple | undefined {
    const all = parts.flatMap(part => read(part, place) ?? []);
    const some = all.filter(part => part.type !== 'null');
    if (some.length === 0) return all[0];
    if (some.length < all.length) orNull(place);
    tell(
      place,
      some.length > 1 ? `"${key}" is one schema for all its choices` : `"${key}" is its one choice`,
    );
    const joined = either(some, path => narrowed(place, path));
    return some.length < all.length ? nullInWords(joined) : joined;
  }
}

function isNullable({ type, nullable }: Schema): boolean {
  return [type].flat().includes('null') || nullable === true;
}

function nullInWords(simple: Simple): Simple {
  return { ...simple, notes: [...new Set([...simple.notes, 'or null'])] };
}

function inside(place: Place, ...steps: readonly string[]): Place {
  return { ...place, path: [...place.path, ...steps], level: place.level + 1 };
}

function impliedType(keywords: Schema): SimpleType | undefined {
  const has = (...keys: string[]) => keys.some(key => keywords[key] !== undefined);
  if (has('properties', 'required', 'additionalProperties')) return 'object';
  return has('items', 'prefixItems') ? 'array' : undefined;
}

function typeOfValue(value: unknown): SimpleType | undefined {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return simpleTypes.find(type => type === typeof value);
}

/** What a format looks like; another is named as it is. */
const formatWords: Readonly<Record<string, string>> = {
  date: 'a date, YYYY-MM-DD',
  'date-time': 'a date and time, such as 2024-05-01T12:00:00Z',
  time: 'a time, such as 12:00:00Z',
  duration: 'a duration, such as P1DT12H',
  email: 'an e-mail address',
  uri: 'a URL',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};
