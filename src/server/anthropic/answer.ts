/** A turn as Anthropic's API answers it, whole and as a stream. */
import { type BlockHead, type TurnEnd, turnBlocks } from '../blocks.ts';
import type { AnswerOptions } from '../openai/chat-answer.ts';
import type { ServedEvent } from '../served-run.ts';
import {
  blockDelta,
  blockStart,
  emptyMessage,
  type MessageHead,
  ranBlocks,
  stopOf,
  usageOf,
  wholeBlock,
} from './message.ts';

/** A call that was cut is left out: nobody could run it. */
export async function wholeMessage(
  turn: AsyncIterable<ServedEvent>,
  head: MessageHead,
  options: AnswerOptions,
) {
  const content: (ReturnType<typeof wholeBlock> | ReturnType<typeof ranBlocks>[number])[] = [];
  let end: TurnEnd | undefined;
  for await (const step of turnBlocks(turn, options)) {
    if (step.type === 'turn-end') end = step;
    else if (step.type === 'ran') content.push(...ranBlocks(step.ran));
    else if (step.type === 'block-end' && (step.block.whole || step.block.kind !== 'call'))
      content.push(wholeBlock(step.block));
  }
  return { ...emptyMessage(head, 0), content, ...(end && { ...stopOf(end, head), usage: usageOf(end) }) };
}

export interface MessageEvent {
  readonly type: string;
}

export async function* messageEvents(
  turn: AsyncIterable<ServedEvent>,
  head: MessageHead,
  options: AnswerOptions,
): AsyncGenerator<MessageEvent> {
  const event = <Fields extends object>(type: string, fields: Fields) => ({ type, ...fields });
  let kind: BlockHead['kind'] = 'text';
  /** What ran here is a block more than it is anywhere else. */
  let more = 0;
  for await (const step of turnBlocks(turn, options)) {
    switch (step.type) {
      case 'turn-start':
        yield event('message_start', { message: emptyMessage(head, step.promptTokens ?? 0) });
        break;
      case 'block-start':
        ({ kind } = step.head);
        yield event('content_block_start', {
          index: step.index + more,
          content_block: blockStart(step.head),
        });
        break;
      case 'block-delta':
        yield event('content_block_delta', { index: step.index + more, delta: blockDelta(kind, step.text) });
        break;
      case 'block-end':
        yield event('content_block_stop', { index: step.index + more });
        break;
      case 'ran': {
        const [call, result] = ranBlocks(step.ran);
        const index = step.index + more++;
        yield event('content_block_start', { index, content_block: { ...call, input: {} } });
        yield event('content_block_delta', { index, delta: blockDelta('call', step.ran.arguments) });
        yield event('content_block_stop', { index });
        yield event('content_block_start', { index: index + 1, content_block: result });
        yield event('content_block_stop', { index: index + 1 });
        break;
      }
      case 'turn-end':
        yield event('message_delta', { delta: stopOf(step, head), usage: usageOf(step) });
        yield event('message_stop', {});
        break;
      default:
        step satisfies never;
    }
  }
}
