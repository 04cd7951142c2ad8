/**
 * Stops that are no token of the vocabulary: a model that was never taught `<|im_end|>` writes it in letters, over many
 * tokens. Pieces are held back while their end may be the beginning of a stop.
 */
import type { Piece } from '../../../parsers/parser.ts';

export interface TextStops {
  /** What may go out. `stopped`: its last piece is the stop, and nothing follows. */
  push(pieces: readonly Piece[]): { pieces: readonly Piece[]; stopped: boolean };
  /** What is still held. */
  end(): readonly Piece[];
}

export function textStops(stops: readonly string[]): TextStops {
  let held: Piece[] = [];

  function release(): Piece[] {
    const pieces = held;
    held = [];
    return pieces;
  }

  return {
    push(pieces) {
      if (stops.length === 0) return { pieces, stopped: false };
      held.push(...pieces);
      const text = held.map(piece => piece.text).join('');
      const found = stops
        .map(stop => ({ stop, start: text.indexOf(stop) }))
        .filter(({ start }) => start >= 0)
        .sort((left, right) => left.start - right.start)[0];
      if (found) {
        const before = cut(release(), found.start);
        return { pieces: [...before, { text: found.stop, control: true }], stopped: true };
      }
      return { pieces: stops.some(stop => mayBegin(stop, text)) ? [] : release(), stopped: false };
    },
    end: release,
  };
}

/** Whether the end of the text is the beginning of the stop. */
function mayBegin(stop: string, text: string): boolean {
  for (let length = Math.min(stop.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(stop.slice(0, length))) return true;
  }
  return false;
}

/** The first characters; a piece that is cut loses its tokens, for they spell more than its text. */
function cut(pieces: readonly Piece[], length: number): Piece[] {
  const kept: Piece[] = [];
  let left = length;
  for (const piece of pieces) {
    if (left <= 0) break;
    kept.push(piece.text.length <= left ? piece : { text: piece.text.slice(0, left) });
    left -= piece.text.length;
  }
  return kept;
}
