/** The body of `POST /v1/chat/completions`, checked. Fields that are not known are left alone. */
import { z } from 'zod';
import { parseMessages, parseTools } from '../../../templates/messages.ts';
import type { Message } from '../../../templates/template.ts';
import { badRequest } from '../api-error.ts';
import type { ToolChoice, TurnRequest } from '../turn-request.ts';
import { checked, outputOf, responseFormat, samplingFields, samplingOf, stopField } from './fields.ts';
import { mostLogprobs } from './logprobs.ts';

export interface ChatRequest {
  readonly model: string | undefined;
  readonly turn: TurnRequest;
  readonly stream: boolean;
  /** A last chunk with the usage. */
  readonly includeUsage: boolean;
  /** Absent: as the server is set. */
  readonly reasoningContent?: boolean;
}

const functionName = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({ name: z.string() }),
});
const choice = z.union(
  [
    z.enum(['auto', 'none', 'required']),
    functionName,
    z.looseObject({
      type: z.literal('allowed_tools'),
      allowed_tools: z.looseObject({ mode: z.enum(['auto', 'required']), tools: z.array(functionName) }),
    }),
  ],
  'It must be "auto", "none", "required", {"type": "function", "function": {"name": …}} or {"type": "allowed_tools", "allowed_tools": {"mode": …, "tools": […]}}.',
);
const body = z.looseObject({
  ...samplingFields,
  model: z.string().nullish(),
  messages: z.array(z.unknown()),
  tools: z.array(z.unknown()).nullish(),
  tool_choice: choice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormat.nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  stop: stopField,
  n: z.int().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  reasoning_effort: z.string().nullish(),
  include_reasoning: z.boolean().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(mostLogprobs).nullish(),
});

/** @throws RawcallError `api_error` (400), `bad_messages`, `bad_tools` */
export function readChatRequest(json: unknown): ChatRequest {
  const given = checked(body, json);
  if ((given.n ?? 1) !== 1) badRequest('One choice is what there is: leave "n" out, or make it 1.', 'n');
  const messages = parseMessages(given.messages);
  checkAnswered(messages);
  if (typeof given.top_logprobs === 'number' && !given.logprobs)
    badRequest('"top_logprobs" goes with "logprobs": true.', 'top_logprobs');
  const maxTokens = given.max_completion_tokens ?? given.max_tokens ?? undefined;
  const output = outputOf(given.response_format ?? undefined);
  const { reasoning_effort: effort, include_reasoning: reasoningContent } = given;
  return {
    model: given.model ?? undefined,
    stream: given.stream ?? false,
    includeUsage: given.stream_options?.include_usage ?? false,
    ...(typeof reasoningContent === 'boolean' ? { reasoningContent } : {}),
    turn: {
      conversation: { messages, tools: parseTools(given.tools ?? []) },
      field: 'messages',
      choice: choiceOf(given.tool_choice ?? 'auto'),
      parallel: given.parallel_tool_calls ?? true,
      sampling: samplingOf(given),
      stop: given.stop ?? [],
      ...(output === undefined ? {} : { output }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(given.logprobs ? { logprobs: given.top_logprobs ?? 0 } : {}),
      ...(effort === 'none' || effort === 'minimal' ? { thinking: false } : {}),
    },
  };
}

function choiceOf(given: z.infer<typeof choice>): ToolChoice {
  if (typeof given === 'string') return { mode: given };
  if (given.type === 'function') return { mode: 'required', tools: [given.function.name] };
  const { mode, tools } = given.allowed_tools;
  return { mode, tools: tools.map(tool => tool.function.name) };
}

/** A call without its result leaves the model to guess; better that the client hears of it. */
function checkAnswered(messages: readonly Message[]): void {
  messages.forEach((message, index) => {
    if (message.role !== 'assistant' || index === messages.length - 1) return;
    const answered = new Set<string>();
    for (let next = index + 1; messages[next]?.role === 'tool'; next++)
      answered.add((messages[next] as Extract<Message, { role: 'tool' }>).callId);
    const open = (message.toolCalls ?? []).filter(call => !answered.has(call.id));
    if (open.length > 0) {
      const ids = open.map(({ id }) => `"${id}"`).join(', ');
      badRequest(
        `The calls ${ids} of messages[${index}] have no "tool" message behind it.`,
        `messages[${index}]`,
      );
    }
  });
}
