/** The input of `POST /v1/responses`, a text or items in the order in which they were made, as messages. */
import { type Fields, fields, filledText, list, refuseWith } from '../../../templates/check.ts';
import { readContent, readResult } from '../../../templates/content.ts';
import { readArguments } from '../../../templates/messages.ts';
import type { Message } from '../../../templates/template.ts';
import { type History, openHistory } from '../history.ts';

const refuse = refuseWith('bad_messages');

/** @throws RawcallError `bad_messages` */
export function readInput(input: unknown, instructions: string | undefined): Message[] {
  const history = openHistory();
  if (instructions) history.add('system', instructions);
  if (typeof input === 'string') history.add('user', input);
  else {
    const items = list(input, 'input', refuse);
    if (items.length === 0) refuse('input', input, 'a text, or an array with at least one item');
    for (const [index, item] of items.entries()) {
      const place = `input[${index}]`;
      readItem(fields(item, place, refuse), place, history);
    }
  }
  return history.messages();
}

type Read = (item: Fields, place: string, history: History) => void;

const readers: ReadonlyMap<unknown, Read> = new Map<unknown, Read>([
  ['message', readMessage],
  ['reasoning', (item, place, history) => history.say({ reasoning: thoughtsOf(item, place) }, place)],
  ['function_call', readCall],
  ['function_call_output', readOutput],
  ['mcp_call', readRan],
  [
    'item_reference',
    ({ type }, place) =>
      refuse(`${place}.type`, type, 'the item itself: nothing is stored here that could be named'),
  ],
]);

function readItem(item: Fields, place: string, history: History): void {
  const { type = 'message' } = item;
  const read = readers.get(type);
  if (!read)
    refuse(
      `${place}.type`,
      type,
      '"message", "reasoning", "function_call", "function_call_output" or "mcp_call"',
    );
  else read(item, place, history);
}

function readMessage({ role, content }: Fields, place: string, history: History): void {
  const text = readContent(content, `${place}.content`, refuse);
  if (role === 'assistant') history.say({ text }, place);
  else if (role === 'user') history.add('user', text);
  else if (role === 'system' || role === 'developer') history.add('system', text);
  else refuse(`${place}.role`, role, '"user", "assistant", "system" or "developer"');
}

function readCall(item: Fields, place: string, history: History): void {
  // The stream of an answer that was cut holds such a call, and nobody could run it.
  if (item.status === 'incomplete') return;
  const call = {
    id: filledText(item.call_id, `${place}.call_id`, refuse),
    name: filledText(item.name, `${place}.name`, refuse),
    ...readArguments(item.arguments, `${place}.arguments`),
  };
  history.say({ call }, place);
}

function readOutput(item: Fields, place: string, history: History): void {
  const callId = filledText(item.call_id, `${place}.call_id`, refuse);
  history.answer({ callId, content: readResult(item.output, `${place}.output`, refuse) }, place);
}

/** A call that ran here, as an answer gave it out. */
function readRan(item: Fields, place: string, history: History): void {
  const id = filledText(item.id, `${place}.id`, refuse);
  const name = filledText(item.name, `${place}.name`, refuse);
  const failed = item.error !== null && item.error !== undefined;
  const content = failed
    ? filledText(item.error, `${place}.error`, refuse)
    : readResult(item.output ?? '', `${place}.output`, refuse);
  history.say({ call: { id, name, ...readArguments(item.arguments, `${place}.arguments`) } }, place);
  history.answer({ callId: id, content, isError: failed }, place);
}

/** The thoughts themselves, or else what they were summed up to. */
function thoughtsOf(item: Fields, place: string): string {
  const texts = (key: 'content' | 'summary') =>
    list(item[key] ?? [], `${place}.${key}`, refuse).map((part, index) => {
      const { text } = fields(part, `${place}.${key}[${index}]`, refuse);
      return typeof text === 'string' ? text : refuse(`${place}.${key}[${index}].text`, text, 'a text');
    });
  const content = texts('content');
  return (content.length > 0 ? content : texts('summary')).join('\n');
}
