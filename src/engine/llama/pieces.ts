/** Generated tokens to pieces, each of whole characters. */
import type { Piece } from '../../../parsers/parser.ts';
import { decode, joinBytes, unfinishedBytes } from './bytes.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface PieceMaker {
  push(id: number): Piece[];
  /** What was left of a character that never ended. */
  end(): Piece[];
}

/** A piece's text is exactly what its tokens spell, so that the tokens can stand for it in a later prompt. */
export function pieceMaker(vocabulary: Vocabulary): PieceMaker {
  let held: number[] = [];

  function take(): Piece {
    const piece = { text: decode(joinBytes(held.map(vocabulary.bytes))), tokens: held };
    held = [];
    return piece;
  }

  return {
    push(id) {
      if (vocabulary.isMarker(id)) {
        const marker: Piece = { text: decode(vocabulary.bytes(id)), control: true, tokens: [id] };
        return [...this.end(), marker];
      }
      held.push(id);
      const bytes = joinBytes(held.map(vocabulary.bytes));
      return bytes.length > 0 && unfinishedBytes(bytes) === 0 ? [take()] : [];
    },
    end: () => (held.length === 0 ? [] : [take()]),
  };
}
