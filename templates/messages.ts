/** Messages as people have them, in the shape of the chat API, checked and put into ours. */
import type { JsonObject, ToolCall } from '../parsers/parser.ts';
import { type Fields, fields, filledText, isFields, list, refuseWith } from './check.ts';
import { readContent, readResult } from './content.ts';
import type { AssistantMessage, Message, ToolMessage } from './template.ts';

export { parseTools } from './tools.ts';

const refuse = refuseWith('bad_messages');
const roles = '"system", "developer", "user", "assistant" or "tool"';

/**
 * Missing ids are filled: a call gets `call_1`, `call_2`, … and a result without one answers the first call that is open.
 *
 * @throws RawcallError `bad_messages`, with the place in its message and in `details.where`
 */
export function parseMessages(json: unknown, where = 'messages'): Message[] {
  const messages: Message[] = [];
  const taken = new Set<string>();
  let open: ToolCall[] = [];
  const entries = list(json, where, refuse);
  if (entries.length === 0) refuse(where, json, 'an array with at least one message');
  for (const [index, entry] of entries.entries()) {
    const place = `${where}[${index}]`;
    const message = fields(entry, place, refuse);
    if (message.role === 'tool') {
      const result = readToolMessage(message, place, open);
      open = open.filter(call => call.id !== result.callId);
      messages.push(result);
      continue;
    }
    const read =
      message.role === 'assistant' ? readAssistant(message, place, taken) : readOther(message, place);
    open = read.role === 'assistant' ? [...(read.toolCalls ?? [])] : [];
    messages.push(read);
  }
  return messages;
}

function readOther(message: Fields, place: string): Message {
  const { role } = message;
  if (role !== 'system' && role !== 'developer' && role !== 'user')
    return refuse(`${place}.role`, role, roles);
  const content = readContent(message.content, `${place}.content`, refuse);
  return { role: role === 'user' ? 'user' : 'system', content };
}

function readAssistant(message: Fields, place: string, taken: Set<string>): AssistantMessage {
  if (message.function_call !== undefined && message.function_call !== null)
    refuse(`${place}.function_call`, message.function_call, 'left out: calls stand in "tool_calls"');
  const content = message.content ?? '';
  const field = message.reasoning_content === undefined ? 'reasoning' : 'reasoning_content';
  const reasoning = message[field] ?? '';
  if (typeof reasoning !== 'string') return refuse(`${place}.${field}`, reasoning, 'a text');
  const toolCalls = list(message.tool_calls ?? [], `${place}.tool_calls`, refuse).map((call, index) =>
    readCall(call, `${place}.tool_calls[${index}]`, taken),
  );
  // Many servers count anew in each reply, so ids need to differ in one message only.
  toolCalls.forEach(({ id }, index) => {
    if (toolCalls.findIndex(call => call.id === id) !== index)
      refuse(`${place}.tool_calls[${index}].id`, id, 'an id that no other call of the message has');
  });
  return {
    role: 'assistant',
    content: readContent(content, `${place}.content`, refuse),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

function readCall(entry: unknown, place: string, taken: Set<string>): ToolCall {
  const call = fields(entry, place, refuse);
  const nested = call.function !== undefined;
  const inner = nested ? fields(call.function, `${place}.function`, refuse) : call;
  const within = nested ? `${place}.function` : place;
  const name = filledText(inner.name, `${within}.name`, refuse);
  const id = isMissing(call.id) ? freeId(taken) : filledText(call.id, `${place}.id`, refuse);
  taken.add(id);
  return { id, name, ...readArguments(inner.arguments, `${within}.arguments`) };
}

/** Some clients send an empty id where they got none. */
function isMissing(id: unknown): boolean {
  return id === undefined || id === null || id === '';
}

function freeId(taken: ReadonlySet<string>): string {
  let number = taken.size + 1;
  while (taken.has(`call_${number}`)) number++;
  return `call_${number}`;
}

/** A text that is right is kept as it is, with every digit of its numbers. */
export function readArguments(value: unknown, place: string): Pick<ToolCall, 'arguments' | 'argumentsText'> {
  const argumentsText = typeof value === 'string' ? value.trim() || '{}' : JSON.stringify(value ?? {});
  let parsed: unknown;
  try {
    parsed = JSON.parse(argumentsText);
  } catch {
    return refuse(place, value, 'a JSON object, or the text of one; this text is no JSON');
  }
  if (!isFields(parsed)) return refuse(place, value, 'a JSON object, or the text of one');
  return { arguments: parsed as JsonObject, argumentsText };
}

function readToolMessage(message: Fields, place: string, open: readonly ToolCall[]): ToolMessage {
  const callId = isMissing(message.tool_call_id) ? open[0]?.id : message.tool_call_id;
  const call = open.find(({ id }) => id === callId);
  if (!call) {
    const ids = open.map(({ id }) => JSON.stringify(id)).join(', ');
    const allowed =
      ids === '' ? 'the assistant message before it leaves no call open' : `these are open: ${ids}`;
    return refuse(`${place}.tool_call_id`, message.tool_call_id, `the id of an open call, and ${allowed}`);
  }
  return {
    role: 'tool',
    callId: call.id,
    name: call.name,
    content: readResult(message.content, `${place}.content`, refuse),
    ...(typeof message.whole === 'string' ? { whole: message.whole } : {}),
  };
}
