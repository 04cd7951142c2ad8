/** A turn as the server tells it, asked for again whenever there is more to see. */
import { useEffect, useState } from 'preact/hooks';
import type { RawTurn } from '../../protocol.ts';
import { ask } from '../shell/api.ts';

export interface AskedTurn {
  readonly turn: RawTurn | undefined;
  readonly failure: string | undefined;
}

const nothing: AskedTurn = { turn: undefined, failure: undefined };

/** @param state of the turn: it is asked for again when that changes; what was there is shown until then */
export function useRawTurn(
  dialogue: string,
  number: number | undefined,
  state: string | undefined,
): AskedTurn {
  const [asked, setAsked] = useState(nothing);
  useEffect(() => {
    if (number === undefined || state === undefined) return setAsked(nothing);
    const ended = new AbortController();
    ask<RawTurn>(`dialogues/${encodeURIComponent(dialogue)}/turns/${number}`, { signal: ended.signal }).then(
      turn => setAsked({ turn, failure: undefined }),
      error => {
        if (ended.signal.aborted) return;
        setAsked({ turn: undefined, failure: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => ended.abort();
  }, [dialogue, number, state]);
  // What was asked for before is another turn's.
  return asked.turn && asked.turn.turn !== number ? nothing : asked;
}
