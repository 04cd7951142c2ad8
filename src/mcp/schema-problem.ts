/** Whether what a server gives as a schema is one of an object. */
import { schemaErrors } from '../../parsers/meta-schema.ts';
import { isFields } from '../../templates/check.ts';

/** Why it can't be the schema of an object, whatever else it says; or nothing. */
export function notOfAnObject(schema: unknown): string | undefined {
  if (!isFields(schema)) return 'it is no object';
  if (schema.type !== undefined && schema.type !== 'object')
    return `its type is ${JSON.stringify(schema.type)}, not "object"`;
  return undefined;
}

/** What is wrong with it, or nothing. */
export function schemaProblem(schema: unknown): string | undefined {
  const problem = notOfAnObject(schema);
  if (problem !== undefined || !isFields(schema)) return problem;
  return schemaErrors(schema)
    ?.map(({ instancePath, message }) => `data${instancePath} ${message}`)
    .join(', ');
}
