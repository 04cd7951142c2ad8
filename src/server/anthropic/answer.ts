/** A turn as Anthropic's API answers it, whole and as a stream. */
import type { TurnEvent } from '../../model/model.ts';
import { type BlockHead, type TurnEnd, turnBlocks } from '../blocks.ts';
import type { AnswerOptions } from '../openai/chat-answer.ts';
import {
  blockDelta,
  blockStart,
  emptyMessage,
  type MessageHead,
  stopOf,
  usageOf,
  wholeBlock,
} from './message.ts';

/** A call that was cut is left out: nobody could run it. */
export async function wholeMessage(
  turn: AsyncIterable<TurnEvent>,
  head: MessageHead,
  options: AnswerOptions,
) {
  const content: ReturnType<typeof wholeBlock>[] = [];
  let end: TurnEnd | undefined;
  for await (const step of turnBlocks(turn, options)) {
    if (step.type === 'turn-end') end = step;
    else if (step.type === 'block-end' && (step.block.whole || step.block.kind !== 'call'))
      content.push(wholeBlock(step.block));
  }
  return { ...emptyMessage(head, 0), content, ...(end && { ...stopOf(end, head), usage: usageOf(end) }) };
}

export interface MessageEvent {
  readonly type: string;
}

export async function* messageEvents(
  turn: AsyncIterable<TurnEvent>,
  head: MessageHead,
  options: AnswerOptions,
): AsyncGenerator<MessageEvent> {
  const event = <Fields extends object>(type: string, fields: Fields) => ({ type, ...fields });
  let kind: BlockHead['kind'] = 'text';
  for await (const step of turnBlocks(turn, options)) {
    switch (step.type) {
      case 'turn-start':
        yield event('message_start', { message: emptyMessage(head, step.promptTokens ?? 0) });
        break;
      case 'block-start':
        ({ kind } = step.head);
        yield event('content_block_start', { index: step.index, content_block: blockStart(step.head) });
        break;
      case 'block-delta':
        yield event('content_block_delta', { index: step.index, delta: blockDelta(kind, step.text) });
        break;
      case 'block-end':
        yield event('content_block_stop', { index: step.index });
        break;
      case 'turn-end':
        yield event('message_delta', { delta: stopOf(step, head), usage: usageOf(step) });
        yield event('message_stop', {});
        break;
      default:
        step satisfies never;
    }
  }
}
