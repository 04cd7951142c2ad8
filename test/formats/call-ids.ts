/** Equivalent input: a dialogue with other call ids, for templates that take no others. */
import type { Message } from '../../templates/template.ts';
import type { Dialogue } from './dialogues.ts';

export function withCallIds(dialogue: Dialogue, rename: (id: string) => string): Dialogue {
  return { ...dialogue, messages: dialogue.messages.map(message => renamed(message, rename)) };
}

/** Each call's id says its name and its number in the conversation. */
export function numbered(dialogue: Dialogue): Dialogue {
  const calls = dialogue.messages.flatMap(one => (one.role === 'assistant' ? (one.toolCalls ?? []) : []));
  const ids = new Map(calls.map(({ id, name }, index) => [id, `functions.${name}:${index}`]));
  return withCallIds(dialogue, id => ids.get(id) ?? id);
}

function renamed(message: Message, rename: (id: string) => string): Message {
  if (message.role === 'tool') return { ...message, callId: rename(message.callId) };
  if (message.role !== 'assistant' || !message.toolCalls) return message;
  return { ...message, toolCalls: message.toolCalls.map(call => ({ ...call, id: rename(call.id) })) };
}
