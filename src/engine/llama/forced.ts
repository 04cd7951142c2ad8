/** Text that is written without being sampled, in the tokens that the model would have written it in. */
import type { Piece } from '../../../parsers/parser.ts';
import { pieceIds, textIds } from './tokenise.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What may follow, one of each kind that tokenisers tell apart. */
const continuations = [...'aA0_ \n"\',.:-/{}[]()<é中', ' a', ' "'];

/**
 * The ids of all pieces but those at the end whose tokens depend on what follows: behind `{"n": ` the model would write
 * one token for ` "`, so that the space is not yet settled.
 */
export function settledIds(pieces: readonly Piece[], vocabulary: Vocabulary): number[] {
  const head = pieces.findLastIndex(piece => piece.control) + 1;
  const text = pieces
    .slice(head)
    .map(piece => piece.text)
    .join('');
  let ids = textIds(text, vocabulary);
  for (const next of continuations) {
    const joined = textIds(text + next, vocabulary);
    const changed = ids.findIndex((id, index) => id !== joined[index]);
    if (changed >= 0) ids = ids.slice(0, changed);
  }
  return [...pieceIds(pieces.slice(0, head), vocabulary), ...ids];
}
