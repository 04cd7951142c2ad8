/** The KV cache as a list of token ids: what it holds of a prompt is kept, what differs is erased. */
import type { LlamaContextSequence, Token } from 'node-llama-cpp';

export interface Cache {
  /** How many tokens more it can take. */
  free(): number;
  /** Erases all that is not a prefix of `ids`. Returns how many tokens it holds then, and how many of them it had to evaluate anew. */
  keepPrefix(ids: readonly number[]): Promise<{ length: number; evaluated: number }>;
  /** Evaluates ids at the end. */
  append(ids: readonly number[]): Promise<void>;
  /** Notes an id that a generation has evaluated. */
  note(id: number): void;
  last(count: number): number[];
  /** Takes the true state from the sequence, after something failed half-way. */
  resync(): void;
  /** Models that can't be rolled back get a point to return to; for all others it does nothing. */
  checkpoint(): Promise<void>;
}

export function openCache(sequence: LlamaContextSequence): Cache {
  // The library copies its own list at each reading.
  let held: number[] = [];
  return {
    // llama.cpp wants one cell free.
    free: () => sequence.contextSize - 1 - held.length,

    async keepPrefix(ids) {
      let common = 0;
      while (common < held.length && held[common] === ids[common]) common++;
      const before = sequence.tokenMeter.usedInputTokens;
      if (common < held.length) {
        // An erase up to the end never shifts cells, so the meter counts true evaluations only.
        await sequence.eraseContextTokenRanges([{ start: common, end: held.length }]);
        held.length = common;
      }
      return { length: common, evaluated: sequence.tokenMeter.usedInputTokens - before };
    },

    async append(ids) {
      await sequence.evaluateWithoutGeneratingNewTokens(ids as Token[]);
      for (const id of ids) held.push(id);
    },

    note: id => void held.push(id),
    last: count => held.slice(-count),
    resync() {
      if (held.length !== sequence.nextTokenIndex) held = sequence.contextTokens;
    },
    checkpoint: () => sequence.takeCheckpoint(),
  };
}
