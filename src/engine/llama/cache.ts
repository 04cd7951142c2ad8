/** The KV cache of a sequence as a list of token ids: what it holds of a prompt is kept, what differs is erased. */
import type { EvaluationPriority, LlamaContextSequence, Token } from 'node-llama-cpp';

export interface Cache {
  readonly length: number;
  /** How many tokens more it can take. */
  free(): number;
  /** How many tokens at the beginning are those of `ids`. */
  common(ids: readonly number[]): number;
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
  /**
   * Whether a state of so many tokens is all there when it is loaded: llama.cpp leaves out what has left a sliding
   * window, and what goes on from the rest differs (Gemma 3 beyond 512 tokens), whether or not the cache itself keeps all.
   */
  canSave(length: number): boolean;
  save(file: string): Promise<void>;
  /** Takes the state that a cache of this very model and kind of context saved, in place of its own. Any other file may end the process. */
  load(file: string): Promise<void>;
}

export function openCache(sequence: LlamaContextSequence, evaluationPriority: EvaluationPriority): Cache {
  // The library copies its own list at each reading.
  let held: number[] = [];
  const slidingWindow = sequence.model.fileInsights.swaSize ?? Number.POSITIVE_INFINITY;

  function common(ids: readonly number[]): number {
    let length = 0;
    while (length < held.length && held[length] === ids[length]) length++;
    return length;
  }

  return {
    get length() {
      return held.length;
    },
    // llama.cpp wants one cell free.
    free: () => sequence.contextSize - 1 - held.length,
    common,

    async keepPrefix(ids) {
      const length = common(ids);
      const before = sequence.tokenMeter.usedInputTokens;
      if (length < held.length) {
        // An erase up to the end never shifts cells, so the meter counts true evaluations only.
        await sequence.eraseContextTokenRanges([{ start: length, end: held.length }]);
        held.length = length;
      }
      return { length, evaluated: sequence.tokenMeter.usedInputTokens - before };
    },

    async append(ids) {
      await sequence.evaluateWithoutGeneratingNewTokens(ids as Token[], { evaluationPriority });
      for (const id of ids) held.push(id);
    },

    note: id => void held.push(id),
    last: count => held.slice(-count),
    resync() {
      if (held.length !== sequence.nextTokenIndex) held = sequence.contextTokens;
    },
    checkpoint: () => sequence.takeCheckpoint(),

    canSave: length => length < slidingWindow,
    async save(file) {
      await sequence.saveStateToFile(file);
    },
    async load(file) {
      held = [];
      // The library keeps the checkpoints of what was there before.
      await sequence.clearHistory();
      await sequence.loadStateFromFile(file, { acceptRisk: true });
      held = sequence.contextTokens;
      await sequence.takeCheckpoint();
    },
  };
}
