/** The common block: a marker, calls, and the marker that closes it. */
import { callList } from './call-list.ts';
import { fill, type Mark, markerHere, type Steps } from './input.ts';
import { cutMessage } from './object-call.ts';
import type { Block, CallForm, Session } from './session.ts';

export function callBlock({
  open,
  close,
  form,
}: {
  readonly open: string;
  readonly close?: string;
  readonly form: CallForm;
}): Block {
  return {
    open,
    ...(close === undefined ? {} : { close }),
    *read(session, mark) {
      const result = yield* callList(session, {
        form,
        mark,
        open,
        ...(close === undefined ? {} : { close }),
        brackets: form === 'python',
        tentative: false,
        decided() {},
      });
      if (result.calls > 0) {
        session.prose.block();
        session.prose.add(result.rest);
        return true;
      }
      return yield* emptyBlock(session, mark, close === undefined ? { open } : { open, close });
    },
  };
}

export interface EmptyBlock {
  readonly open: string;
  readonly close?: string;
  /** What else ends it, besides the next one. */
  readonly until?: readonly string[];
  /** The marker cannot be a word of the text. */
  readonly meant?: boolean;
}

/** What to make of an opening marker without a call behind it. False: it is a word of the text. */
export function* emptyBlock(session: Session, mark: Mark, block: EmptyBlock): Steps<boolean> {
  const { input, calls } = session;
  const behind = input.since(mark).slice(block.open.length).trim();
  const ended = !(yield* fill(input)) && behind === '';
  const closed =
    block.close !== undefined && (yield* markerHere(input, [block.close])) !== undefined && behind === '';
  // Letters that only look like the marker are text; a control token is meant.
  if (!ended && !closed && !block.meant && !input.isControlToken(block.open)) return false;
  const call = calls.open(mark.start);
  if (ended) call.fail('truncated', cutMessage);
  else call.fail('bad_json', `Expected a call behind ${block.open}.`);
  const { close, open, until: others = [] } = block;
  const until = [...(close === undefined ? [] : [close]), open, ...others, ...session.stops];
  for (let found: string | undefined; (yield* fill(input)) && found === undefined; ) {
    found = yield* markerHere(input, until);
    if (found === block.close && found !== undefined) input.at += found.length;
    else if (found === undefined) input.at++;
  }
  call.end(input.position(), () => input.since(mark));
  input.release(mark);
  session.prose.block();
  return true;
}
