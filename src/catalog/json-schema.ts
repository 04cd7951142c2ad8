/** The shape of a catalog as a JSON Schema, for editors and other programs. */
import { z } from 'zod';
import { catalogSchema } from './schema.ts';

export function catalogJsonSchema(): object {
  return {
    ...z.toJSONSchema(catalogSchema, { io: 'input', target: 'draft-2020-12', reused: 'inline' }),
    title: 'A catalog of models for rawcall',
    description: 'docs/models.md says what each key means.',
  };
}
