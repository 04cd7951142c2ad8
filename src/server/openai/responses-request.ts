/** The body of `POST /v1/responses`, checked. Fields that are not known are left alone. */
import { z } from 'zod';
import type { JsonSchema } from '../../../parsers/parser.ts';
import { parseTools } from '../../../templates/messages.ts';
import { badRequest } from '../api-error.ts';
import type { ToolChoice, TurnRequest } from '../turn-request.ts';
import { checked, samplingFields, samplingOf } from './fields.ts';
import { readInput } from './responses-input.ts';

export interface ResponsesRequest {
  readonly model: string | undefined;
  readonly turn: TurnRequest;
  readonly stream: boolean;
  /** What the answer repeats of the request. */
  readonly repeated: Repeated;
}

export type Repeated = ReturnType<typeof repeatedOf>;

const functionName = z.looseObject({ type: z.literal('function'), name: z.string() });
const choice = z.union(
  [
    z.enum(['auto', 'none', 'required']),
    functionName,
    z.looseObject({
      type: z.literal('allowed_tools'),
      mode: z.enum(['auto', 'required']),
      tools: z.array(functionName),
    }),
  ],
  'It must be "auto", "none", "required", {"type": "function", "name": …} or {"type": "allowed_tools", "mode": …, "tools": […]}.',
);
const format = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    name: z.string(),
    schema: z.record(z.string(), z.unknown()),
  }),
]);
const body = z.looseObject({
  ...samplingFields,
  model: z.string().nullish(),
  input: z.unknown().optional(),
  instructions: z.string().nullish(),
  tools: z.array(z.unknown()).nullish(),
  tool_choice: choice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z.looseObject({ format: format.nullish() }).nullish(),
  max_output_tokens: z.int().positive().nullish(),
  reasoning: z.looseObject({ effort: z.string().nullish() }).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  stream: z.boolean().nullish(),
});
type Body = z.infer<typeof body>;

/** What could only be answered from something that was stored. */
const ofStored = {
  previous_response_id: 'Responses are not stored here: send the whole conversation as "input".',
  conversation: 'Conversations are not stored here: send the whole of it as "input".',
  prompt: 'Prompts are not stored here: send the text as "instructions" and "input".',
} as const;

/** @throws RawcallError `api_error` (400), `bad_messages`, `bad_tools` */
export function readResponsesRequest(json: unknown): ResponsesRequest {
  const given = checked(body, json);
  for (const [field, message] of Object.entries(ofStored))
    if (given[field] !== undefined && given[field] !== null) badRequest(message, field);
  if (given.background === true)
    badRequest(
      'A response that is made in the background would have to be stored: leave "background" out.',
      'background',
    );
  const output = outputOf(given.text?.format ?? undefined);
  const effort = given.reasoning?.effort;
  return {
    model: given.model ?? undefined,
    stream: given.stream ?? false,
    repeated: repeatedOf(given),
    turn: {
      conversation: {
        messages: readInput(given.input, given.instructions ?? undefined),
        tools: parseTools(given.tools ?? []),
      },
      field: 'input',
      choice: choiceOf(given.tool_choice ?? 'auto'),
      parallel: given.parallel_tool_calls ?? true,
      sampling: samplingOf(given),
      stop: [],
      ...(output === undefined ? {} : { output }),
      ...(given.max_output_tokens ? { maxTokens: given.max_output_tokens } : {}),
      ...(effort === 'none' || effort === 'minimal' ? { thinking: false } : {}),
    },
  };
}

function choiceOf(given: z.infer<typeof choice>): ToolChoice {
  if (typeof given === 'string') return { mode: given };
  if (given.type === 'function') return { mode: 'required', tools: [given.name] };
  return { mode: given.mode, tools: given.tools.map(({ name }) => name) };
}

function outputOf(given: z.infer<typeof format> | undefined): JsonSchema | undefined {
  if (given === undefined || given.type === 'text') return undefined;
  return given.type === 'json_object' ? { type: 'object' } : given.schema;
}

function repeatedOf(given: Body) {
  return {
    instructions: given.instructions ?? null,
    max_output_tokens: given.max_output_tokens ?? null,
    metadata: given.metadata ?? {},
    parallel_tool_calls: given.parallel_tool_calls ?? true,
    reasoning: { effort: given.reasoning?.effort ?? null, summary: null },
    temperature: given.temperature ?? null,
    text: { format: given.text?.format ?? { type: 'text' } },
    tool_choice: given.tool_choice ?? 'auto',
    tools: given.tools ?? [],
    top_p: given.top_p ?? null,
  };
}
