/** The leaderboard's function documents, in which types are words of Python, as tools with JSON Schemas that say the same. */
import type { JsonSchema, ToolDefinition } from '../../../parsers/parser.ts';

/** As a file has it: a JSON Schema but for its words. */
export type PythonSchema = Readonly<Record<string, unknown>>;

export interface FunctionDocument {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters: PythonSchema;
}

const jsonTypes: Readonly<Record<string, string>> = {
  string: 'string',
  str: 'string',
  integer: 'integer',
  int: 'integer',
  float: 'number',
  number: 'number',
  boolean: 'boolean',
  bool: 'boolean',
  array: 'array',
  list: 'array',
  tuple: 'array',
  dict: 'object',
  object: 'object',
};

/** Said of a value, which no word of JSON Schema's says. */
const unconstrained = new Set(['any', '']);

export function toolOf({ name, description, parameters }: FunctionDocument): ToolDefinition {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: jsonSchema(parameters),
  };
}

/** @throws TypeError for a type that is none of Python's. */
export function jsonSchema(schema: PythonSchema): JsonSchema {
  const { type, properties, items, required, enum: values, optional: _, ...rest } = schema;
  const written = typeOf(type);
  const choices = Array.isArray(values) ? { enum: values } : {};
  // A list's choices are those of its items: a list is never one of the texts that it may hold.
  const ofItems = written === 'array' && choices.enum?.every(value => !Array.isArray(value)) === true;
  return {
    ...(written === undefined ? {} : { type: written }),
    ...rest,
    ...(isSchema(properties) ? { properties: mapValues(properties, inner) } : {}),
    ...(isSchema(items) || ofItems
      ? { items: { ...(isSchema(items) ? (jsonSchema(items) as object) : {}), ...(ofItems ? choices : {}) } }
      : {}),
    ...(Array.isArray(required) ? { required } : {}),
    ...(ofItems ? {} : choices),
  };
}

function inner(value: unknown): unknown {
  return isSchema(value) ? jsonSchema(value) : value;
}

function typeOf(type: unknown): string | undefined {
  if (type === undefined || (typeof type === 'string' && unconstrained.has(type))) return undefined;
  const found = typeof type === 'string' && Object.hasOwn(jsonTypes, type) ? jsonTypes[type] : undefined;
  if (found === undefined) throw new TypeError(`${JSON.stringify(type)} is no type that is known here`);
  return found;
}

function mapValues(values: PythonSchema, change: (value: unknown) => unknown): PythonSchema {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

const isSchema = (value: unknown): value is PythonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
