/** A turn as the server tells it, asked for again when there is more to see. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { unpackTurn } from '../../packed-turn.ts';
import type { PackedTurn, RawTurn } from '../../protocol.ts';
import { ask } from '../shell/api.ts';

export interface AskedTurn {
  readonly turn: RawTurn | undefined;
  readonly failure: string | undefined;
}

const nothing: AskedTurn = { turn: undefined, failure: undefined };

/** @param runs whether the turn runs: when it has ended it is asked for again, and what was there is shown until then */
export function useRawTurn(dialogue: string, number: number | undefined, runs: boolean): AskedTurn {
  const route =
    number === undefined ? undefined : `dialogues/${encodeURIComponent(dialogue)}/turns/${number}`;
  const [asked, setAsked] = useState({ route, ...nothing });
  // Not an effect, which waits for a frame.
  useLayoutEffect(() => {
    if (route === undefined) return;
    const ended = new AbortController();
    ask<PackedTurn>(route, { signal: ended.signal }).then(
      turn => setAsked({ route, turn: unpackTurn(turn), failure: undefined }),
      error => {
        if (ended.signal.aborted) return;
        const failure = error instanceof Error ? error.message : String(error);
        setAsked({ route, turn: undefined, failure });
      },
    );
    return () => ended.abort();
  }, [route, runs]);
  // What was asked for before is another turn's.
  return asked.route === route ? asked : nothing;
}
