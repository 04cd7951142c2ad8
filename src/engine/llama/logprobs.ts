/** How probable the tokens of a completion were. */
import type { GeneratedLogprob, GeneratedPiece, TokenLogprob } from '../engine.ts';
import type { Sampled } from './internals.ts';
import type { Vocabulary } from './vocabulary.ts';

/** `top`: how many of the likeliest are wanted. */
export function logprobOf(
  { id, probabilities }: Required<Sampled>,
  top: number,
  vocabulary: Vocabulary,
): GeneratedLogprob {
  const at = (index: number): TokenLogprob => {
    const token = probabilities[index]!;
    return { id: token, bytes: vocabulary.bytes(token), logprob: Math.log(probabilities[index + 1]!) };
  };
  let own = 0;
  while (own < probabilities.length && probabilities[own] !== id) own += 2;
  const wanted = Math.min(top, probabilities.length / 2);
  return { ...at(own), top: Array.from({ length: wanted }, (_, rank) => at(2 * rank)) };
}

/** Gives pieces the logprobs of their tokens, which come with each id and may come before its piece. */
export function logprobKeeper() {
  const waiting: (GeneratedLogprob | undefined)[] = [];
  return {
    add: (logprob: GeneratedLogprob | undefined) => void waiting.push(logprob),
    put(pieces: readonly GeneratedPiece[]): GeneratedPiece[] {
      return pieces.map(piece => {
        const own = waiting.splice(0, piece.tokens?.length ?? 0);
        const known = own.filter(one => one !== undefined);
        return known.length > 0 && known.length === own.length ? { ...piece, logprobs: known } : piece;
      });
    },
  };
}
