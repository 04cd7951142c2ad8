/** Checks values against a tool's schemas, and says in words, for the model or for people, what is wrong. */
import { Ajv } from 'ajv';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { schemaErrors } from './meta-schema.ts';
import type { JsonObject, JsonSchema, ToolDefinition } from './parser.ts';

/** A schema that does not compile never stands in the way of reading: its tool is not validated. */
type Validator = ValidateFunction | { readonly fault: string };

const validators = new WeakMap<object, Validator>();
/** The same schema comes as another object with each list of tools that is read; compiling it takes a millisecond. */
const byText = new Map<string, Validator>();
const textsKept = 256;

/** What is wrong with the arguments; undefined where nothing is, or where the tool's schema can't be used. */
export function invalidArguments({ inputSchema }: ToolDefinition, value: JsonObject): string | undefined {
  return invalidValue(inputSchema, value, { whole: 'the arguments object', key: 'an argument' });
}

/** What a value and the keys of its schema are called. */
export interface ValueWords {
  readonly whole: string;
  readonly key: string;
}

/** As `invalidArguments`, for any value and schema. */
export function invalidValue(
  schema: JsonSchema | undefined,
  value: unknown,
  words: ValueWords,
): string | undefined {
  const validate = validatorOf(schema);
  if (!validate || 'fault' in validate) return undefined;
  try {
    if (validate(value) !== false) return undefined;
  } catch {
    return `${words.whole} is nested too deeply`;
  }
  const errors = (validate.errors ?? []).filter(error => error.keyword !== 'if');
  const told = [...new Set(errors.map(error => inWords(error, words)))];
  return told.slice(0, 5).join('; ') || `${words.whole} does not fit the schema`;
}

/** Why the tool's arguments are not validated: what is wrong with its schema. Undefined where nothing is. */
export function schemaFault({ inputSchema }: ToolDefinition): string | undefined {
  return faultOf(inputSchema);
}

/** Why values can't be validated by this schema, if they can't. */
export function faultOf(schema: JsonSchema | undefined): string | undefined {
  const validate = validatorOf(schema);
  return validate && 'fault' in validate ? validate.fault : undefined;
}

function validatorOf(schema: JsonSchema | undefined): Validator | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validate = compiled(schema);
  validators.set(schema, validate);
  return validate;
}

function compiled(schema: Readonly<Record<string, unknown>>): Validator {
  const text = textOf(schema);
  if (text === undefined) return compile(schema);
  const known = byText.get(text);
  if (known !== undefined) return known;
  const validate = compile(schema);
  if (byText.size >= textsKept) byText.clear();
  byText.set(text, validate);
  return validate;
}

/** Undefined for an object that is no JSON, such as one that holds itself. */
function textOf(schema: object): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}

function compile(schema: Readonly<Record<string, unknown>>): Validator {
  // Dialects differ in little that matters here, and an unknown `$schema` would not compile at all.
  const { $schema: _dialect, $id: _id, $async: _async, ...rest } = schema;
  const options = { strict: false, allErrors: true, logger: false, validateSchema: false } as const;
  let fault = '';
  for (const Dialect of [Ajv2020, Ajv]) {
    try {
      const ajv = new Dialect(options);
      addFormats.default(ajv);
      return ajv.compile(rest);
    } catch (error) {
      fault ||= error instanceof Error ? error.message : String(error);
    }
  }
  // The meta-schema knows the place; but much of what it objects to, such as an enum with a value twice, can be used all the same.
  const [error] = schemaErrors(schema) ?? [];
  if (error) fault = `${error.instancePath.slice(1).replaceAll('/', '.')} ${error.message}`.trim();
  return { fault };
}

function inWords(
  { keyword, instancePath, params, message }: ErrorObject,
  { whole, key }: ValueWords,
): string {
  const path = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const what = path === '' ? whole : path;
  switch (keyword) {
    case 'required':
      return `${path === '' ? '' : `${path}.`}${params.missingProperty} is required`;
    case 'type': {
      const types = [params.type].flat().map(type => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`));
      return `${what} must be ${types.join(' or ')}`;
    }
    case 'enum':
      return `${what} must be one of ${params.allowedValues.map((one: unknown) => JSON.stringify(one)).join(', ')}`;
    case 'additionalProperties':
      return `${path === '' ? '' : `${path}.`}${params.additionalProperty} is not ${key}`;
    default:
      return `${what} ${message ?? 'is not valid'}`;
  }
}
