/** A turn as the Responses API answers it, whole and as a stream. */
import type { ApiError } from '../api-error.ts';
import { turnBlocks } from '../blocks.ts';
import type { ServedEvent } from '../served-run.ts';
import type { AnswerOptions } from './chat-answer.ts';
import {
  type ItemEvents,
  itemEvents,
  numberEvents,
  type ResponseEvent,
  ranEvents,
} from './responses-events.ts';
import {
  type Item,
  type ResponseHead,
  type ResponseObject,
  type ResponseState,
  responseObject,
} from './responses-object.ts';

export interface ResponseWriter {
  /** The events of a stream; what they come to is returned. */
  events(turn: AsyncIterable<ServedEvent>): AsyncGenerator<ResponseEvent, ResponseObject>;
  /** The last event of a stream that failed. */
  failure(error: ApiError): ResponseEvent;
}

export function openResponse(
  head: ResponseHead,
  options: AnswerOptions & { readonly newId: () => string },
): ResponseWriter {
  const event = numberEvents();
  const output: Item[] = [];
  const state = (type: string, rest: Omit<ResponseState, 'output'>) =>
    event(type, { response: responseObject(head, { ...rest, output: [...output] }) });

  return {
    async *events(turn) {
      let item: ItemEvents | undefined;
      let last = responseObject(head, { status: 'in_progress', output });
      for await (const step of turnBlocks(turn, options)) {
        switch (step.type) {
          case 'turn-start':
            yield state('created', { status: 'in_progress' });
            yield state('in_progress', { status: 'in_progress' });
            break;
          case 'block-start':
            item = itemEvents(event, step.head, step.index, options.newId);
            yield* item.start();
            break;
          case 'block-delta':
            if (item) yield item.grow(step.text);
            break;
          case 'block-end':
            if (item) output.push(yield* item.end(step.block));
            break;
          case 'ran':
            output.push(yield* ranEvents(event, step.ran, step.index));
            break;
          case 'turn-end': {
            const status = step.finish === 'length' ? 'incomplete' : 'completed';
            const end = state(status, { status, usage: step.usage });
            last = end.response;
            yield end;
            break;
          }
          default:
            step satisfies never;
        }
      }
      return last;
    },
    failure: error => state('failed', { status: 'failed', error }),
  };
}

/** What the events come to. A call that was cut is left out: nobody could run it. */
export async function wholeResponse(
  events: AsyncGenerator<ResponseEvent, ResponseObject>,
): Promise<ResponseObject> {
  for (;;) {
    const step = await events.next();
    if (!step.done) continue;
    const output = step.value.output.filter(
      item => item.type !== 'function_call' || item.status === 'completed',
    );
    return { ...step.value, output };
  }
}
