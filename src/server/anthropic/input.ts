/** The conversation of `POST /v1/messages`, in messages of content blocks, as messages of ours. */
import { type Fields, fields, filledText, list, refuseWith } from '../../../templates/check.ts';
import { readContent, readResult } from '../../../templates/content.ts';
import { readArguments } from '../../../templates/messages.ts';
import type { Message } from '../../../templates/template.ts';
import { type History, openHistory } from '../history.ts';

const refuse = refuseWith('bad_messages');

/** @throws RawcallError `bad_messages` */
export function readConversation(messages: unknown, system: unknown): Message[] {
  const history = openHistory();
  const instructions = readContent(system ?? '', 'system', refuse);
  if (instructions !== '') history.add('system', instructions);
  const entries = list(messages, 'messages', refuse);
  if (entries.length === 0) refuse('messages', messages, 'an array with at least one message');
  for (const [index, entry] of entries.entries()) {
    const place = `messages[${index}]`;
    readMessage(fields(entry, place, refuse), place, history);
  }
  const read = history.messages();
  if (read.at(-1)?.role === 'assistant')
    refuse(
      `messages[${entries.length - 1}].role`,
      'assistant',
      '"user": the last message is what is answered, and a reply that was begun is not gone on with',
    );
  return read;
}

function readMessage({ role, content }: Fields, place: string, history: History): void {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const inside = list(blocks, `${place}.content`, refuse).map((block, index) => {
    const where = `${place}.content[${index}]`;
    return { block: fields(block, where, refuse), where };
  });
  if (role === 'assistant') for (const { block, where } of inside) readSaid(block, where, history);
  else if (role === 'system') history.add('system', readContent(content, `${place}.content`, refuse));
  else if (role === 'user') readAsked(inside, history);
  else refuse(`${place}.role`, role, '"user" or "assistant"');
}

function readSaid(block: Fields, where: string, history: History): void {
  const { type } = block;
  if (type === 'text') history.say({ text: text(block.text, `${where}.text`) }, where);
  else if (type === 'thinking') history.say({ reasoning: text(block.thinking, `${where}.thinking`) }, where);
  // Those of the server have their results in the same message.
  else if (type === 'mcp_tool_result') readResultOf(block, where, history);
  else if (type === 'tool_use' || type === 'mcp_tool_use') {
    const call = {
      id: filledText(block.id, `${where}.id`, refuse),
      name: filledText(block.name, `${where}.name`, refuse),
      ...readArguments(block.input, `${where}.input`),
    };
    history.say({ call }, where);
  }
  // Nobody but the model that wrote it can read it.
  else if (type !== 'redacted_thinking')
    refuse(`${where}.type`, type, '"text", "thinking", "tool_use", "mcp_tool_use" or "mcp_tool_result"');
}

function readResultOf(block: Fields, where: string, history: History): void {
  history.answer(
    {
      callId: filledText(block.tool_use_id, `${where}.tool_use_id`, refuse),
      content: readResult(block.content, `${where}.content`, refuse),
      isError: block.is_error === true,
    },
    where,
  );
}

/** Results answer the message before, so they come first; the texts behind them are one message. */
function readAsked(
  blocks: readonly { readonly block: Fields; readonly where: string }[],
  history: History,
): void {
  const texts: string[] = [];
  for (const { block, where } of blocks) {
    if (block.type === 'text') texts.push(text(block.text, `${where}.text`));
    else if (block.type !== 'tool_result')
      refuse(`${where}.type`, block.type, '"text" or "tool_result": only text can be rendered');
    else if (texts.length > 0) refuse(where, block, 'before the texts of its message');
    else readResultOf(block, where, history);
  }
  if (texts.length > 0) history.add('user', texts.join('\n'));
}

function text(value: unknown, where: string): string {
  return typeof value === 'string' ? value : refuse(where, value, 'a text');
}
