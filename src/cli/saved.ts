import type { Message } from '../../templates/template.ts';

/** In the shape of the chat API, which other programs read too; arguments as their exact text. */
export function savedMessage(message: Message): object {
  if (message.role === 'tool') {
    const { role, callId, name, content } = message;
    return { role, tool_call_id: callId, name, content };
  }
  if (message.role !== 'assistant') return message;
  const { role, content, reasoning, toolCalls } = message;
  return {
    role,
    content,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(toolCalls && toolCalls.length > 0
      ? {
          tool_calls: toolCalls.map(({ id, name, argumentsText }) => ({
            id,
            type: 'function',
            function: { name, arguments: argumentsText },
          })),
        }
      : {}),
  };
}
