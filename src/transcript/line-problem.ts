/** What of a line is not as the schema has it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isFields } from '../../templates/check.ts';
import { nearest } from '../nearest.ts';
import schema from './transcript.schema.json' with { type: 'json' };

/** Compiled when the first line is read. */
let validators: Map<string, ValidateFunction> | undefined;

function compile(): Map<string, ValidateFunction> {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(schema);
  const types = schema.oneOf.map(({ $ref }) => $ref.replace('#/$defs/', ''));
  return new Map(types.map(type => [type, ajv.getSchema(`${schema.$id}#/$defs/${type}`)!]));
}

/** In words, or undefined where it is right. */
export function lineProblem(value: unknown): string | undefined {
  validators ??= compile();
  if (!isFields(value) || typeof value.type !== 'string') return 'it is no object with a "type".';
  const { type } = value;
  const validate = validators.get(type);
  if (!validate) {
    const meant = nearest(type, [...validators.keys()]);
    return `its type ${JSON.stringify(type)} is none of a transcript's${meant ? `. Is "${meant}" meant?` : '.'}`;
  }
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  const key = first?.params.additionalProperty;
  return `"${type}"${first?.instancePath ? ` at ${first.instancePath}` : ''} ${first?.message ?? 'is wrong'}${key === undefined ? '' : `: "${key}"`}.`;
}
