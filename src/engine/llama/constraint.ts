/** The grammar that a generation is under, if any; it may change between two tokens. */
import type { TokenBias } from 'node-llama-cpp';
import type { Few } from './few.ts';
import type { Compile, CompiledGrammar } from './grammar.ts';
import { grammarAllows, type Held, moveGrammar } from './internals.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Constraint {
  /** Whether a grammar holds. */
  readonly holds: boolean;
  /** Before a token is sampled. */
  readonly tokenBias: () => TokenBias;
  readonly held: () => Held | undefined;
  /** @param begun ids that stand already; a grammar that doesn't allow them isn't taken */
  hold(grammar: string, begun: readonly number[]): Promise<void>;
  lift(): void;
  /** Moves on over ids that weren't sampled. Returns how many the grammar allows, up to where it ends. */
  follow(ids: readonly number[]): number;
  /** Lifts a grammar that can end, but the one that holds for the whole completion. */
  settle(): void;
}

interface ConstraintParts {
  readonly compile: Compile;
  readonly vocabulary: Vocabulary;
  readonly few: Few | undefined;
  /** For the sampler where no grammar holds. */
  readonly noBias: TokenBias;
}

/** @param whole the grammar of the whole completion */
export async function openConstraint(
  { compile, vocabulary, few, noBias }: ConstraintParts,
  whole?: string,
): Promise<Constraint> {
  const { endId } = vocabulary;
  let current: CompiledGrammar | undefined = whole === undefined ? undefined : await compile(whole);
  let untilEnd = whole !== undefined;

  function settle(): boolean {
    if (!current || untilEnd || endId === undefined || !grammarAllows(current.state, endId)) return false;
    current = undefined;
    return true;
  }

  function follow(ids: readonly number[]): number {
    for (const [index, id] of ids.entries()) {
      if (!current) return ids.length;
      if (!grammarAllows(current.state, id)) return index;
      moveGrammar(current.state, id);
      if (settle()) return index + 1;
    }
    return ids.length;
  }

  return {
    get holds() {
      return current !== undefined;
    },
    tokenBias: () => current?.tokenBias ?? noBias,
    held() {
      if (!current) return undefined;
      const { state, byId } = current;
      return { state, ...(few ? { few: () => few(id => grammarAllows(state, id), byId) } : {}) };
    },
    async hold(grammar, begun) {
      const next = await compile(grammar);
      const before = { current, untilEnd };
      current = next;
      untilEnd = false;
      if (follow(begun) < begun.length) ({ current, untilEnd } = before);
    },
    lift() {
      current = undefined;
    },
    follow,
    settle: () => void settle(),
  };
}
