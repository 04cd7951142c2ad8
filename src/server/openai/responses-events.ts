/** The events of a response's stream: numbered without a gap, an item added once and done once, and its deltas come to its text. */
import type { Block, BlockHead } from '../blocks.ts';
import type { Ran } from '../ran.ts';
import { type Item, itemOf, partOf, ranItem } from './responses-object.ts';

export interface ResponseEvent {
  readonly type: `response.${string}`;
  readonly sequence_number: number;
}

export type NumberEvent = <Fields extends object>(name: string, fields: Fields) => ResponseEvent & Fields;

export function numberEvents(): NumberEvent {
  let count = 0;
  return (name, fields) => ({ type: `response.${name}`, sequence_number: count++, ...fields });
}

const idPrefix = { text: 'msg', reasoning: 'rs', call: 'fc' } as const;
const deltaName = {
  text: 'output_text',
  reasoning: 'reasoning_text',
  call: 'function_call_arguments',
} as const;

export interface ItemEvents {
  start(): Generator<ResponseEvent>;
  grow(delta: string): ResponseEvent;
  /** The item that it came to is returned. */
  end(block: Block): Generator<ResponseEvent, Item>;
}

export function itemEvents(
  event: NumberEvent,
  head: BlockHead,
  outputIndex: number,
  newId: () => string,
): ItemEvents {
  const { kind } = head;
  const id = `${idPrefix[kind]}_${newId()}`;
  const place = { item_id: id, output_index: outputIndex, ...(kind === 'call' ? {} : { content_index: 0 }) };
  const logprobs = kind === 'text' ? { logprobs: [] } : {};
  return {
    *start() {
      const item = itemOf(id, { ...head, text: '', whole: false }, 'in_progress');
      yield event('output_item.added', {
        output_index: outputIndex,
        item: item.type === 'function_call' ? item : { ...item, content: [] },
      });
      if (kind !== 'call') yield event('content_part.added', { ...place, part: partOf(kind, '') });
    },
    grow: delta => event(`${deltaName[kind]}.delta`, { ...place, delta, ...logprobs }),
    *end(block) {
      const { text, whole } = block;
      const done = block.kind === 'call' ? { name: block.name, arguments: text } : { text, ...logprobs };
      yield event(`${deltaName[kind]}.done`, { ...place, ...done });
      if (kind !== 'call') yield event('content_part.done', { ...place, part: partOf(kind, text) });
      const item = itemOf(id, block, whole ? 'completed' : 'incomplete');
      yield event('output_item.done', { output_index: outputIndex, item });
      return item;
    },
  };
}

/** A call that ran here is an item of the API's own kind for it, told when its result is there. */
export function* ranEvents(
  event: NumberEvent,
  ran: Ran,
  outputIndex: number,
): Generator<ResponseEvent, Item> {
  const item = ranItem(ran);
  const place = { item_id: item.id, output_index: outputIndex };
  yield event('output_item.added', {
    output_index: outputIndex,
    item: { ...item, arguments: '', output: null, error: null, status: 'in_progress' },
  });
  yield event('mcp_call.in_progress', place);
  yield event('mcp_call_arguments.delta', { ...place, delta: item.arguments });
  yield event('mcp_call_arguments.done', { ...place, arguments: item.arguments });
  yield event(`mcp_call.${item.status}`, place);
  yield event('output_item.done', { output_index: outputIndex, item });
  return item;
}
