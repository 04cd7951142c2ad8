/** The body of `POST /v1/messages`, checked. Fields that are not known are left alone. */
import { z } from 'zod';
import { parseTools } from '../../../templates/messages.ts';
import { checked, samplingFields, samplingOf } from '../openai/fields.ts';
import type { ToolChoice, TurnRequest } from '../turn-request.ts';
import { readConversation } from './input.ts';

export interface MessagesRequest {
  readonly model: string | undefined;
  readonly turn: TurnRequest;
  readonly stream: boolean;
  /** Whether thoughts are given out. */
  readonly thinking: boolean;
}

const parallel = { disable_parallel_tool_use: z.boolean().nullish() };
const choice = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['auto', 'any', 'none']), ...parallel }),
  z.looseObject({ type: z.literal('tool'), name: z.string(), ...parallel }),
]);
const tool = z.looseObject({
  type: z
    .literal('custom', 'It must be "custom", or left out: there are no tools of the server here.')
    .nullish(),
});
const body = z.looseObject({
  ...samplingFields,
  model: z.string().nullish(),
  messages: z.unknown().optional(),
  system: z.unknown().optional(),
  tools: z.array(tool).nullish(),
  tool_choice: choice.nullish(),
  max_tokens: z.int().positive().nullish(),
  stop_sequences: z.array(z.string().min(1)).nullish(),
  stream: z.boolean().nullish(),
  thinking: z
    .looseObject({
      type: z.enum(['enabled', 'adaptive', 'between_tools', 'disabled']),
      display: z.string().nullish(),
    })
    .nullish(),
  output_config: z
    .looseObject({
      format: z
        .looseObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) })
        .nullish(),
    })
    .nullish(),
});

/** @throws RawcallError `api_error` (400), `bad_messages`, `bad_tools` */
export function readMessagesRequest(json: unknown): MessagesRequest {
  const given = checked(body, json);
  const { tool_choice: choice, thinking } = given;
  const output = given.output_config?.format?.schema;
  // Clients that don't ask for thoughts take the first block for the reply.
  const thinks = thinking ? thinking.type !== 'disabled' : false;
  return {
    model: given.model ?? undefined,
    stream: given.stream ?? false,
    thinking: thinks && thinking?.display !== 'omitted',
    turn: {
      conversation: {
        messages: readConversation(given.messages, given.system),
        tools: parseTools((given.tools ?? []).map(({ type: _, ...one }) => one)),
      },
      field: 'messages',
      choice: choiceOf(choice ?? { type: 'auto' }),
      parallel: !choice?.disable_parallel_tool_use,
      sampling: samplingOf(given),
      stop: given.stop_sequences ?? [],
      ...(output === undefined ? {} : { output }),
      ...(given.max_tokens ? { maxTokens: given.max_tokens } : {}),
      ...(thinks ? {} : { thinking: false }),
    },
  };
}

function choiceOf(given: z.infer<typeof choice>): ToolChoice {
  switch (given.type) {
    case 'tool':
      return { mode: 'required', tools: [given.name] };
    case 'any':
      return { mode: 'required' };
    default:
      return { mode: given.type };
  }
}
