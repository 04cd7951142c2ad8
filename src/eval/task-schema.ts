/** The shape of a task file (docs/eval.md). */
import { z } from 'zod';
import type { JsonValue } from '../../parsers/parser.ts';
import type { Path } from '../yaml-file.ts';
import { matcherProblem } from './match.ts';
import { type MatchingName, matchings } from './matching.ts';

const text = z.string().min(1);
const texts = z.union([text.transform(one => [one]), z.array(text)], 'must be a text or a list of texts');
const count = z.int().min(1);
const json = z.json() as z.ZodType<JsonValue>;

const matchers = z.record(z.string(), json).superRefine((args, context) => {
  for (const [name, value] of Object.entries(args)) {
    const problem = matcherProblem(value, [name]);
    if (problem) context.addIssue({ code: 'custom', path: [...problem.path], message: problem.message });
  }
});

const outcome = {
  result: json.optional(),
  error: text.optional(),
  delay: z.number().min(0).max(3600).optional(),
};

const onlyOne = 'a result and an error are two outcomes: keep one';

const stub = z
  .strictObject({
    name: text,
    description: z.string().optional(),
    inputSchema: z.unknown().optional(),
    parameters: z.unknown().optional(),
    annotations: z.unknown().optional(),
    ...outcome,
    results: z
      .array(
        z
          .strictObject({ when: matchers.optional(), ...outcome })
          .refine(one => one.result === undefined || one.error === undefined, {
            message: onlyOne,
            path: ['error'],
          })
          .refine(one => one.result !== undefined || one.error !== undefined, 'needs a result or an error'),
      )
      .min(1)
      .optional(),
  })
  .superRefine((one, context) => {
    const given = (['result', 'error', 'results'] as const).filter(key => one[key] !== undefined);
    if (given.length === 1) return;
    const message =
      given.length === 0
        ? 'needs a result, an error, or results by arguments'
        : `${given.join(' and ')}: keep one`;
    context.addIssue({ code: 'custom', path: given.slice(1, 2), message });
  });

const fact = z.union([text, z.number().transform(String)], 'must be a text or a number');
const facts = z.union(
  [
    fact.transform(one => [one]),
    z.array(z.union([fact, z.array(fact).min(1)], 'must be a text, or a list of texts of which one will do')),
  ],
  'must be a text or a list of texts',
);

export const taskSchema = z
  .strictObject({
    id: fact.optional(),
    tags: texts.optional(),
    system: z.string().optional(),
    query: text.optional(),
    dialogue: z.array(z.unknown()).min(1).optional(),
    should_call_tool: z.boolean().optional(),
    expected_tool: text.optional(),
    arguments: matchers.optional(),
    expected_calls: z
      .array(z.strictObject({ tool: text, arguments: matchers.optional() }))
      .min(1)
      .optional(),
    answer_holds: facts.optional(),
    tools: z.array(stub).min(1).optional(),
  })
  .superRefine((task, context) => {
    const refuse = (path: Path, message: string) =>
      context.addIssue({ code: 'custom', path: [...path], message });
    const { query, dialogue, should_call_tool: call, expected_tool: tool, expected_calls: calls } = task;
    if (query === undefined && dialogue === undefined) refuse([], 'needs a query or a dialogue');
    if (query !== undefined && dialogue !== undefined)
      refuse(['dialogue'], 'a query is there already: keep one');
    if (tool !== undefined && calls !== undefined)
      refuse(['expected_calls'], 'an expected_tool is there already: keep one');
    if (task.arguments !== undefined && tool === undefined)
      refuse(['arguments'], 'they are those of an expected_tool, and there is none');
    if (call === undefined && tool === undefined && calls === undefined)
      refuse([], 'needs should_call_tool, an expected_tool or expected_calls');
    if (call === false && (tool !== undefined || calls !== undefined))
      refuse(['should_call_tool'], 'is false, and a call is expected: keep one');
  });

const model = z.union(
  [
    text.transform(path => ({ path })),
    z
      .strictObject({
        endpoint: texts,
        name: text.optional(),
        api: z.enum(['completions', 'chat']).optional(),
      })
      .transform(({ endpoint, ...rest }) => ({ endpoints: endpoint, ...rest })),
  ],
  'must be a GGUF file, a model of the catalog, or {endpoint: URL, name: …, api: completions or chat}',
);

export const fileSchema = z.strictObject({
  description: z.string().optional(),
  servers: z.record(z.string(), z.looseObject({})).optional(),
  tools: z.array(stub).optional(),
  models: z.preprocess(one => (Array.isArray(one) ? one : [one]), z.array(model).min(1)).optional(),
  formats: texts.optional(),
  policies: texts.optional(),
  constrain: texts.optional(),
  schema_forms: texts.optional(),
  system: z.string().optional(),
  samples: count.optional(),
  seed: z.int().min(0).optional(),
  temperature: z.number().min(0).optional(),
  max_tokens: count.optional(),
  max_rounds: z.int().min(0).optional(),
  matching: z.enum(Object.keys(matchings) as [MatchingName, ...MatchingName[]]).optional(),
  tasks: z.array(z.unknown()).min(1),
});

export type RawStub = z.output<typeof stub>;
export type RawTask = z.output<typeof taskSchema>;
export type RawFile = z.output<typeof fileSchema>;

/** All that may stand in one, for whoever mistypes one of them. */
export const keys = [
  fileSchema,
  taskSchema,
  stub,
  z.strictObject({ when: json, ...outcome, tool: text, endpoint: text, api: text }),
].flatMap(({ shape }) => Object.keys(shape));
