/** Whether what a server gives as a schema is one. */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

// Servers write whatever their language's library writes, so unknown keywords and formats are no problem. A copy of a schema is
// never kept: two tools may use the same `$id`.
const options = { strict: false, validateFormats: false, logger: false, addUsedSchema: false } as const;
let validators: readonly (Ajv | Ajv2020)[] | undefined;

/** What is wrong with it, or nothing. `$ref`s to elsewhere are not followed and not held against it. */
export function schemaProblem(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'it is no object';
  const { $schema: _dialect, ...rest } = schema as Record<string, unknown>;
  if (rest.type !== undefined && rest.type !== 'object')
    return `its type is ${JSON.stringify(rest.type)}, not "object"`;
  // Made at the first use: building the validators of the meta-schemas takes a moment.
  validators ??= [new Ajv2020(options), new Ajv(options)];
  // Nearly nobody names the dialect and means it, so a schema that is right in one of them is right.
  const errors = validators.map(ajv => (ajv.validateSchema(rest) ? undefined : ajv.errorsText(ajv.errors)));
  return errors.includes(undefined) ? undefined : errors[0];
}
