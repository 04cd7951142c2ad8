/** What a turn that goes on has written, as it comes; what came within a frame is shown at once. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Piece } from '../../../../parsers/parser.ts';
import { follow } from '../shell/follow.ts';

/** @param runs when it has ended, what was written stays until another turn is named */
export function useWritten(dialogue: string, turn: number | undefined, runs: boolean): readonly Piece[] {
  const written = useSignal<{ readonly turn?: number; readonly pieces: readonly Piece[] }>({ pieces: [] });
  useLayoutEffect(() => {
    if (turn === undefined || !runs) return;
    let pieces: Piece[] = [];
    let frame = 0;
    const show = () => {
      frame = 0;
      written.value = { turn, pieces: [...pieces] };
    };
    const stop = follow<Piece>({
      path() {
        // Where the stream breaks it is told again from the first piece on.
        pieces = [];
        return `dialogues/${encodeURIComponent(dialogue)}/turns/${turn}/live`;
      },
      onLine(piece) {
        pieces.push(piece);
        if (frame === 0) frame = requestAnimationFrame(show);
      },
      // The dialogue was deleted, which the view says.
      onRefused() {},
      onEnd() {},
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [dialogue, turn, runs]);
  return written.value.turn === turn ? written.value.pieces : [];
}
