/** A conversation and a turn's options as the body of `/v1/chat/completions`. */
import type {
  AssistantMessage,
  Conversation,
  Message,
  Prompt,
  RenderOptions,
} from '../../templates/template.ts';
import type { JsonRecord } from '../engine/endpoint/client.ts';
import type { EndpointInfo } from '../engine/endpoint/endpoint-info.ts';
import { samplingFields } from '../engine/endpoint/sampling.ts';
import type { ChatNames } from './chat-names.ts';
import type { TurnOptions } from './model.ts';

export function chatRequest(
  { messages, tools }: Conversation,
  { schema, thinking }: RenderOptions,
  options: TurnOptions,
  { kind, model }: EndpointInfo,
  names: ChatNames,
): JsonRecord {
  const { sampling, maxTokens, stop = [], constrain = 'off', only, parallel = true, output } = options;
  const offered = schema === 'none' ? [] : tools.filter(({ name }) => only?.includes(name) ?? true);
  return {
    model,
    messages: chatMessages(messages, names),
    stream: true,
    stream_options: { include_usage: true },
    ...samplingFields(kind, sampling),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(thinking === undefined ? {} : { chat_template_kwargs: { enable_thinking: thinking } }),
    ...(output === undefined
      ? {}
      : {
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'output', schema: output, strict: true },
          },
        }),
    ...(offered.length === 0
      ? {}
      : {
          tools: offered.map(({ name, description, inputSchema }) => ({
            type: 'function',
            function: {
              name: names.toApi(name),
              ...(description === undefined ? {} : { description }),
              parameters: typeof inputSchema === 'object' ? inputSchema : { type: 'object' },
            },
          })),
          ...(constrain === 'required' ? { tool_choice: toolChoice(only, names) } : {}),
          ...(parallel ? {} : { parallel_tool_calls: false }),
        }),
  };
}

function toolChoice(only: readonly string[] | undefined, names: ChatNames) {
  const [name] = only ?? [];
  return only?.length === 1 && name !== undefined
    ? { type: 'function', function: { name: names.toApi(name) } }
    : 'required';
}

function chatMessages(messages: readonly Message[], names: ChatNames): JsonRecord[] {
  const question = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, index) => {
    if (message.role === 'tool') {
      const { callId, name, content } = message;
      return { role: 'tool', tool_call_id: callId, name: names.toApi(name), content };
    }
    if (message.role !== 'assistant') return { role: message.role, content: message.content };
    return assistantMessage(message, index > question, names);
  });
}

/** Thoughts before a call are what a model that thinks between calls goes on from; those of earlier answers are left out everywhere. */
function assistantMessage(
  { content, reasoning, toolCalls = [] }: AssistantMessage,
  goesOn: boolean,
  names: ChatNames,
): JsonRecord {
  if (toolCalls.length === 0) return { role: 'assistant', content };
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(goesOn && reasoning !== undefined ? { reasoning_content: reasoning } : {}),
    tool_calls: toolCalls.map(({ id, name, argumentsText }) => ({
      id,
      type: 'function',
      function: { name: names.toApi(name), arguments: argumentsText },
    })),
  };
}

/** For people: what the endpoint's own template makes the prompt of. */
export function chatPrompt(
  { messages, tools }: Conversation,
  { schema }: RenderOptions,
  names: ChatNames,
): Prompt {
  const shown = schema === 'none' ? [] : tools;
  return [
    ...shown.map(
      tool =>
        ({
          text: `${JSON.stringify({ ...tool, name: names.toApi(tool.name) })}\n`,
          origin: 'tools',
        }) as const,
    ),
    ...chatMessages(messages, names).map((message, index) => ({
      text: `${JSON.stringify(message)}\n`,
      origin: messages[index]!.role,
    })),
  ];
}
