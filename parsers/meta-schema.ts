/** Whether something is a JSON Schema. */
import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

// People and servers write whatever their language's library writes, so unknown keywords and formats are no problem. A copy of a
// schema is never kept: two tools may use the same `$id`.
const options = { strict: false, validateFormats: false, logger: false, addUsedSchema: false } as const;
let dialects: readonly (Ajv | Ajv2020)[] | undefined;

/** What its meta-schema has against it; undefined where nothing. `$ref`s to elsewhere are not followed and not held against it. */
export function schemaErrors(schema: Readonly<Record<string, unknown>>): readonly ErrorObject[] | undefined {
  const { $schema: _dialect, ...rest } = schema;
  // Made at the first use: building the validators of the meta-schemas takes a moment.
  dialects ??= [new Ajv2020(options), new Ajv(options)];
  // Nearly nobody names the dialect and means it, so a schema that is right in one of them is right.
  const errors = dialects.map(ajv => (ajv.validateSchema(rest) ? undefined : (ajv.errors ?? [])));
  return errors.includes(undefined) ? undefined : errors[0];
}
