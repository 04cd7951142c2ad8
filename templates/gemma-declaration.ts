/** A tool as Gemma's templates declare it: properties sorted by name, types in capitals, strings between marks. */
import type { Piece, ToolDefinition } from '../parsers/parser.ts';
import { isFields } from './check.ts';

export interface DeclarationStyle {
  /** The mark around a string. */
  readonly quote: string;
  /** Every property has a description, an empty one if need be. */
  readonly describesAll: boolean;
  /** A property that may be null says so. */
  readonly nullable: boolean;
}

type SchemaObject = Readonly<Record<string, unknown>>;
type Member = readonly [key: Piece[], value: Piece[]];

/** What a schema says of a value and is no property of it. */
const ownKeys = ['description', 'type', 'properties', 'required', 'nullable'];

/** `declaration:NAME{…}`. */
export function gemmaDeclaration(tool: ToolDefinition, style: DeclarationStyle): Piece[] {
  const { quote } = style;
  const schema = asObject(tool.inputSchema);
  const fields = asObject(schema.properties);
  const parameters: Member[] = [
    ...(Object.keys(fields).length > 0 ? [member('properties', properties(fields))] : []),
    ...required(schema),
    member('type', string(typeOf(schema) || 'OBJECT')),
  ];
  return [
    ...text(`declaration:${tool.name}`),
    ...braces([
      member('description', string(tool.description ?? '')),
      ...(Object.keys(schema).length > 0 ? [member('parameters', braces(parameters))] : []),
    ]),
  ];

  function properties(members: SchemaObject): Piece[] {
    return braces(sorted(members).map(([name, field]) => member(name, property(asObject(field)))));
  }

  function property(field: SchemaObject): Piece[] {
    const type = typeOf(field);
    const { description, items, enum: choices } = field;
    const described = style.describesAll || description;
    const mayBeNull = field.nullable === true || (Array.isArray(field.type) && field.type.includes('null'));
    return braces([
      ...(described ? [member('description', string(String(description ?? '')))] : []),
      ...(type === 'STRING' && Array.isArray(choices) && choices.length > 0
        ? [member('enum', value(choices))]
        : []),
      ...(type === 'ARRAY' && Object.keys(asObject(items)).length > 0
        ? [member('items', itemSchema(items))]
        : []),
      ...(style.nullable && mayBeNull ? [member('nullable', text('true'))] : []),
      ...(type === 'OBJECT' ? [member('properties', properties(inner(field))), ...required(field)] : []),
      member('type', string(type)),
    ]);
  }

  function itemSchema(schema: unknown): Piece[] {
    const item = asObject(schema);
    return braces(
      sorted(item).map(([key, each]) => {
        if (key === 'properties') return member(key, properties(asObject(each)));
        if (key === 'type') return member(key, string(typeOf(item)));
        return member(key, value(each));
      }),
    );
  }

  function required({ required: names }: SchemaObject): Member[] {
    return Array.isArray(names) && names.length > 0 ? [member('required', value(names))] : [];
  }

  /** Any JSON. The keys in it are strings too. */
  function value(json: unknown): Piece[] {
    if (typeof json === 'string') return string(json);
    if (Array.isArray(json)) return [...text('['), ...joined(json.map(value)), ...text(']')];
    if (typeof json !== 'object' || json === null) return text(String(json));
    return braces(sorted(json as SchemaObject).map(([key, each]) => [string(key), value(each)]));
  }

  function string(content: string): Piece[] {
    return [{ text: quote, control: true }, ...text(content), { text: quote, control: true }];
  }
}

/** An object without properties is declared by whatever else its schema says that could be one, as the official templates do. */
function inner(field: SchemaObject): SchemaObject {
  if (isFields(field.properties)) return field.properties;
  return Object.fromEntries(
    Object.entries(field).filter(([key, each]) => !ownKeys.includes(key) && isFields(each)),
  );
}

function typeOf({ type }: SchemaObject): string {
  const one = Array.isArray(type) ? type.find(each => each !== 'null') : type;
  return typeof one === 'string' ? one.toUpperCase() : '';
}

function sorted(members: SchemaObject): [string, unknown][] {
  const order = (key: string) => key.toLowerCase();
  return Object.entries(members).sort(([a], [b]) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
}

const text = (content: string): Piece[] => (content === '' ? [] : [{ text: content }]);
const member = (key: string, value: Piece[]): Member => [text(key), value];
const braces = (members: readonly Member[]): Piece[] => [
  ...text('{'),
  ...joined(members.map(([key, value]) => [...key, ...text(':'), ...value])),
  ...text('}'),
];
const joined = (parts: readonly Piece[][]): Piece[] =>
  parts.flatMap((part, index) => (index === 0 ? part : [...text(','), ...part]));

function asObject(value: unknown): SchemaObject {
  return isFields(value) ? value : {};
}
