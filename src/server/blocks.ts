/**
 * A turn as blocks that begin, grow and end, one after another: what the APIs with items and content blocks answer in. A block's
 * text begins and ends with no white space, so that what its deltas come to is what it is when it ends.
 */
import {
  type AnswerOptions,
  type FinishReason,
  type Saying,
  sayings,
  type Totals,
  totals,
} from './openai/chat-answer.ts';
import { type Ran, ranOf } from './ran.ts';
import type { ServedEvent } from './served-run.ts';

export type BlockHead =
  | { readonly kind: 'text' }
  | { readonly kind: 'reasoning' }
  | { readonly kind: 'call'; readonly id: string; readonly name: string };

/** `text` of a call: its arguments. `whole`: it was not cut, and a call could be read. */
export type Block = BlockHead & { readonly text: string; readonly whole: boolean };

export type BlockEvent =
  /** `promptTokens`: where the model has a tokenizer. */
  | { readonly type: 'turn-start'; readonly promptTokens?: number }
  | { readonly type: 'block-start'; readonly index: number; readonly head: BlockHead }
  | { readonly type: 'block-delta'; readonly index: number; readonly text: string }
  | { readonly type: 'block-end'; readonly index: number; readonly block: Block }
  /** A call that was settled here, in the place of a block. */
  | { readonly type: 'ran'; readonly index: number; readonly ran: Ran }
  | TurnEnd;

/** `stop`: the text that ended the turn; it is the format's own, or one of the request's. */
export type TurnEnd = {
  readonly type: 'turn-end';
  readonly finish: FinishReason;
  readonly usage: Totals['usage'];
  readonly stop?: string;
};

export async function* turnBlocks(
  events: AsyncIterable<ServedEvent>,
  { reasoning, countTokens }: AnswerOptions,
): AsyncGenerator<BlockEvent, void> {
  const say = sayings();
  const sum = totals(countTokens);
  const writer = blockWriter();
  let stop: string | undefined;
  let begun = false;
  for await (const event of events) {
    if (event.type === 'turn-start') {
      if (!begun)
        yield { type: 'turn-start', ...(event.tokens === undefined ? {} : { promptTokens: event.tokens }) };
      begun = true;
      stop = undefined;
    } else if (event.type === 'tool-end') yield* writer.ran(ranOf(event));
    else if (event.type === 'completion-end') {
      const last = event.pieces.at(-1);
      if (event.reason === 'stop' && last?.control) stop = last.text;
    }
    const said = say(event);
    sum.add(event, said);
    for (const one of said) if (reasoning || one.type !== 'reasoning') yield* writer.write(one);
  }
  const { usage, finish } = sum.totals;
  yield* writer.end(finish === 'length');
  yield { type: 'turn-end', finish, usage, ...(stop === undefined ? {} : { stop }) };
}

interface Open {
  readonly head: BlockHead;
  text: string;
}

function blockWriter() {
  let index = -1;
  let open: Open | undefined;
  /** White space that is part of the block only where something follows. */
  let held = '';

  function* start(head: BlockHead): Generator<BlockEvent, Open> {
    index++;
    open = { head, text: '' };
    yield { type: 'block-start', index, head };
    return open;
  }

  function* grow(block: Open, text: string): Generator<BlockEvent, void> {
    if (text === '') return;
    block.text += text;
    yield { type: 'block-delta', index, text };
  }

  function* close(whole: boolean): Generator<BlockEvent, void> {
    held = '';
    if (!open) return;
    const { head, text } = open;
    open = undefined;
    yield { type: 'block-end', index, block: { ...head, text, whole } };
  }

  /** A call that is open still is not whole. */
  function* end(cut: boolean): Generator<BlockEvent, void> {
    yield* close(!cut && open?.head.kind !== 'call');
  }

  function* writeText(kind: 'text' | 'reasoning', text: string): Generator<BlockEvent, void> {
    if (open?.head.kind !== kind) {
      // White space between two blocks ends none of them.
      if (text.trim() === '') return;
      yield* end(false);
    }
    const block = open ?? (yield* start({ kind }));
    const all = block.text === '' ? text.trimStart() : held + text;
    const said = all.trimEnd();
    held = all.slice(said.length);
    yield* grow(block, said);
  }

  return {
    *write(one: Saying): Generator<BlockEvent, void> {
      switch (one.type) {
        case 'text':
        case 'reasoning':
          return yield* writeText(one.type, one.text);
        case 'call':
          yield* end(false);
          yield* start({ kind: 'call', id: one.id, name: one.name });
          return;
        case 'arguments':
          if (open) yield* grow(open, one.text);
          return;
        case 'call-end':
          return yield* close(true);
        default:
          return one satisfies never;
      }
    },
    *ran(ran: Ran): Generator<BlockEvent, void> {
      yield* end(false);
      yield { type: 'ran', index: ++index, ran };
    },
    end,
  };
}
