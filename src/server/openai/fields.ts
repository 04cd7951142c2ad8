/** Fields that several endpoints share, and the check of a body. */
import { z } from 'zod';
import type { JsonSchema } from '../../../parsers/parser.ts';
import type { Sampling } from '../../engine/engine.ts';
import { badRequest } from '../api-error.ts';

export const samplingFields = {
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(0).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  repetition_penalty: z.number().positive().nullish(),
  seed: z.int().nullish(),
};

/** One text or up to four. */
export const stopField = z
  .union(
    [z.string(), z.array(z.string().min(1)).max(4)],
    'It must be a text, or a list of up to four texts that are not empty.',
  )
  .nullish()
  .transform(stop => (typeof stop === 'string' ? (stop === '' ? [] : [stop]) : (stop ?? [])));

export const responseFormat = z.union(
  [
    z.looseObject({ type: z.literal('text') }),
    z.looseObject({ type: z.literal('json_object') }),
    z.looseObject({
      type: z.literal('json_schema'),
      json_schema: z.looseObject({ name: z.string(), schema: z.record(z.string(), z.unknown()).optional() }),
    }),
  ],
  'It must be {"type": "text"}, {"type": "json_object"} or {"type": "json_schema", "json_schema": {"name": …, "schema": …}}.',
);

/** What the text must be, where it must be something. */
export function outputOf(given: z.infer<typeof responseFormat> | undefined): JsonSchema | undefined {
  if (given === undefined || given.type === 'text') return undefined;
  if (given.type === 'json_object') return { type: 'object' };
  return given.json_schema.schema ?? { type: 'object' };
}

type SamplingFields = { [Key in keyof typeof samplingFields]?: number | null | undefined };

export function samplingOf(given: SamplingFields): Sampling {
  const named = {
    temperature: given.temperature,
    topP: given.top_p,
    topK: given.top_k,
    minP: given.min_p,
    repeatPenalty: given.repetition_penalty,
    seed: given.seed,
  };
  return Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** @throws RawcallError `api_error` (400), which names the field */
export function checked<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const param = issue?.path
    .map(step => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);
  return badRequest(
    `${param ? `"${param}": ` : ''}${issue?.message ?? 'The body is wrong.'}`,
    param || undefined,
  );
}
