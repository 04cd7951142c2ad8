/** A schema in the few words that small models follow, and how two of them become one. */
import { asSchema } from './schema-keywords.ts';
import { json } from './schema-words.ts';

export const simpleTypes = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'] as const;
export type SimpleType = (typeof simpleTypes)[number];

/** Nothing in it but the description is about something else than the value's own type and members. */
export interface Simple {
  /** Absent: any value. */
  readonly type?: SimpleType;
  readonly description?: string;
  /** What else holds, in words; they become part of the description. */
  readonly notes: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: ReadonlyMap<string, Simple>;
  readonly required?: readonly string[];
  /** Members of other names may not be there; known while choices are joined, and then left unsaid. */
  readonly closed?: true;
  /** Of members with other names. */
  readonly others?: Simple;
  readonly items?: Simple;
}

export const anything: Simple = { notes: [] };

/** Accepts what both accept, and perhaps more. */
export function both(left: Simple, right: Simple): Simple {
  const values = [left.enum, right.enum].filter(one => one !== undefined);
  const [fewest] = values.sort((one, other) => one.length - other.length);
  const type = narrower(left.type, right.type);
  const description = sentences([left.description, right.description]);
  const required = union(left.required ?? [], right.required ?? []);
  const properties = joinedMembers(left, right);
  const preset = left.default ?? right.default;
  return {
    notes: union(left.notes, right.notes),
    ...(type ? { type } : {}),
    ...(description === undefined ? {} : { description }),
    ...(fewest ? { enum: fewest } : {}),
    ...(preset === undefined ? {} : { default: preset }),
    ...(properties ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(left.closed || right.closed ? { closed: true } : {}),
    ...maybe('others', bothIfAny(left.others, right.others)),
    ...maybe('items', bothIfAny(left.items, right.items)),
  };
}

function bothIfAny(left: Simple | undefined, right: Simple | undefined): Simple | undefined {
  return left && right ? both(left, right) : (left ?? right);
}

function joinedMembers(left: Simple, right: Simple): ReadonlyMap<string, Simple> | undefined {
  if (!left.properties || !right.properties) return left.properties ?? right.properties;
  const members = new Map(left.properties);
  for (const [name, member] of right.properties) {
    const known = members.get(name);
    members.set(name, known ? both(known, member) : member);
  }
  return members;
}

/** Where they contradict each other there is no value, and either will do. */
function narrower(left: SimpleType | undefined, right: SimpleType | undefined): SimpleType | undefined {
  return left === 'number' && right === 'integer' ? right : (left ?? right);
}

/**
 * Accepts what any of them accepts, but for what is told: a member that only some of the choices name is said as those say it.
 *
 * @param tellNarrowed gets the member's name
 */
export function either(choices: readonly Simple[], tellNarrowed: (path: readonly string[]) => void): Simple {
  const [first = anything, ...others] = choices;
  if (others.length === 0) return first;
  const description = sentences(
    choices.map(one => one.description),
    ' Or: ',
  );
  const told = description === undefined ? {} : { description };
  const type = widerOf(choices.map(one => one.type));
  if (type === undefined) {
    const values = allValues(choices);
    const words = values ? [] : [choices.map(wordsOf).join(' or ')];
    return { notes: words, ...told, ...(values ? { enum: values } : {}) };
  }
  const values = allValues(choices);
  const notes = choices.every(one => one.notes.length > 0)
    ? [
        union(
          choices.map(one => one.notes.join(', ')),
          [],
        ).join(' or '),
      ]
    : [];
  const common = { type, ...told, ...(values ? { enum: values } : {}) };
  if (type === 'array') {
    const items = choices.map(one => one.items).filter(one => one !== undefined);
    const all = items.length === choices.length;
    return {
      ...common,
      notes,
      ...(all ? { items: either(items, path => tellNarrowed(['items', ...path])) } : {}),
    };
  }
  if (type === 'object') return { ...common, ...eitherObject(choices, notes, tellNarrowed) };
  const some = choices.flatMap(one => one.enum ?? []);
  const examples = !values && some.length > 0 ? [`such as ${some.map(json).join(', ')}`] : [];
  return { ...common, notes: [...notes, ...examples] };
}

function eitherObject(
  choices: readonly Simple[],
  notes: readonly string[],
  tellNarrowed: (path: readonly string[]) => void,
): Pick<Simple, 'properties' | 'required' | 'others' | 'closed' | 'notes'> {
  const names = [...new Set(choices.flatMap(one => [...(one.properties?.keys() ?? [])]))];
  const properties = new Map(
    names.map(name => {
      const said = choices.flatMap(one => one.properties?.get(name) ?? []);
      const free = choices.some(one => !one.closed && !one.properties?.has(name));
      const member = either(said, path => tellNarrowed(['properties', name, ...path]));
      if (free && (member.type ?? member.enum)) tellNarrowed(['properties', name]);
      return [name, member];
    }),
  );
  const needs = choices.map(one => one.required ?? []);
  const required = (needs[0] ?? []).filter(name => needs.every(one => one.includes(name)));
  const sets = union(
    needs.map(one => one.join(', ') || 'none of them'),
    [],
  );
  const others = choices.map(one => one.others).filter(one => one !== undefined);
  return {
    notes: [...notes, ...(sets.length > 1 ? [`give ${sets.join(' or ')}`] : [])],
    ...(names.length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(choices.every(one => one.closed) ? { closed: true } : {}),
    ...(others.length === choices.length
      ? { others: either(others, path => tellNarrowed(['additionalProperties', ...path])) }
      : {}),
  };
}

/** The one type that all of these are of. */
export function widerOf(types: readonly (SimpleType | undefined)[]): SimpleType | undefined {
  const all = new Set(types);
  if (all.size === 1) return types[0];
  return types.every(type => type === 'integer' || type === 'number') ? 'number' : undefined;
}

/** The values of all, where each is a list of values. */
function allValues(choices: readonly Simple[]): readonly unknown[] | undefined {
  if (choices.some(one => one.enum === undefined)) return undefined;
  const values = new Map(choices.flatMap(one => one.enum ?? []).map(value => [json(value), value]));
  return [...values.values()];
}

/** `a string`, `an array of a string`, `an object with a, b`. */
export function wordsOf(simple: Simple): string {
  const limits = simple.notes.length > 0 ? ` (${simple.notes.join('; ')})` : '';
  if (simple.enum) return `${simple.enum.map(json).join(' or ')}${limits}`;
  switch (simple.type) {
    case undefined:
      return simple.notes.length > 0 ? simple.notes.join('; ') : 'any value';
    case 'array':
      return `${simple.items ? `an array, each item ${wordsOf(simple.items)}` : 'an array'}${limits}`;
    case 'object': {
      const names = [...(simple.properties?.keys() ?? [])];
      return `${names.length > 0 ? `an object with ${names.join(', ')}` : 'an object'}${limits}`;
    }
    case 'null':
      return 'null';
    case 'integer':
      return `an integer${limits}`;
    default:
      return `a ${simple.type}${limits}`;
  }
}

/** As a JSON Schema. */
export function printed(simple: Simple): Readonly<Record<string, unknown>> {
  const { type, notes, default: preset, properties, required, others, items } = simple;
  const description = described(simple.description, notes);
  // Beside values they say nothing; without a type, something of values that need be neither an object nor a list.
  const members = type === 'object' && !simple.enum ? { properties, required, others } : {};
  const each = type === 'array' && !simple.enum ? items : undefined;
  return {
    ...(type ? { type } : {}),
    ...(description === undefined ? {} : { description }),
    ...(simple.enum ? { enum: simple.enum } : {}),
    ...(preset === undefined ? {} : { default: preset }),
    ...(members.properties
      ? { properties: Object.fromEntries([...members.properties].map(([name, one]) => [name, printed(one)])) }
      : {}),
    ...(members.required ? { required: members.required } : {}),
    ...(members.others ? { additionalProperties: printed(members.others) } : {}),
    ...(each ? { items: printed(each) } : {}),
  };
}

/** What `printed` may give, and words that say nothing of the values: such a schema can stay as it is. */
export function isSimple(schema: unknown): boolean {
  const keywords = asSchema(schema);
  const { type, properties, items, additionalProperties } = keywords;
  const listed = keywords.enum !== undefined;
  const harmless = ['type', 'description', 'enum', 'default', 'title', '$schema', '$id'];
  const ofObjects = ['properties', 'required', 'additionalProperties'];
  const allowed = [
    ...harmless,
    ...(type === 'object' && !listed ? ofObjects : []),
    ...(type === 'array' && !listed ? ['items'] : []),
  ];
  const others = typeof additionalProperties === 'boolean' ? undefined : additionalProperties;
  return (
    typeof schema === 'object' &&
    !Array.isArray(type) &&
    Object.keys(keywords).every(key => allowed.includes(key)) &&
    [...Object.values(asSchema(properties)), items, others].every(one => one === undefined || isSimple(one))
  );
}

function described(description: string | undefined, notes: readonly string[]): string | undefined {
  if (notes.length === 0) return description;
  const words = notes.join('; ');
  return description === undefined ? words : `${description} (${words})`;
}

/** Each once. */
function sentences(texts: readonly (string | undefined)[], between = ' '): string | undefined {
  const said = union(
    texts.filter(one => one !== undefined),
    [],
  );
  return said.length === 0 ? undefined : said.join(between);
}

function union<T>(left: readonly T[], right: readonly T[]): T[] {
  return [...new Set([...left, ...right])];
}

function maybe<Key extends string>(key: Key, value: Simple | undefined): { [Name in Key]?: Simple } {
  return value ? ({ [key]: value } as { [Name in Key]?: Simple }) : {};
}
