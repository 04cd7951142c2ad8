/**
 * What node-llama-cpp has and does not publish: a grammar's state, asked and moved on without the sampler, and what a model gives
 * before anything is sampled from it. Its version is pinned.
 */
import type { LlamaContextSequence, LlamaGrammarEvaluationState } from 'node-llama-cpp';

interface Hidden {
  readonly _state: unknown;
  readonly _llama: {
    readonly _bindings: {
      readonly AddonSampler: {
        canBeNextTokenForGrammarEvaluationState(state: unknown, id: number): boolean;
        acceptGrammarEvaluationStateToken(state: unknown, id: number): void;
      };
    };
  };
}

/** Whether the grammar lets this token come next; one that ends the generation only where the grammar can end. */
export function grammarAllows(state: LlamaGrammarEvaluationState, id: number): boolean {
  const { _state, _llama } = state as unknown as Hidden;
  return _llama._bindings.AddonSampler.canBeNextTokenForGrammarEvaluationState(_state, id);
}

/** Moves the state on over a token that it allows. */
export function moveGrammar(state: LlamaGrammarEvaluationState, id: number): void {
  const { _state, _llama } = state as unknown as Hidden;
  _llama._bindings.AddonSampler.acceptGrammarEvaluationStateToken(_state, id);
}

interface Sampler {
  applyConfig(config: { readonly temperature: number }): void;
  dispose(): void;
}

interface HiddenSequence {
  readonly _context: {
    readonly _ctx: {
      sampleToken(
        output: number,
        sampler: Sampler,
        probabilities: true,
        confidence: false,
      ): Promise<[number, number[]]>;
    };
  };
  readonly model: {
    readonly _model: unknown;
    readonly _llama: { readonly _bindings: { readonly AddonSampler: new (model: unknown) => Sampler } };
  };
}

/**
 * What may follow the token that was evaluated last: ids and their probabilities in turn, the likeliest first. The library's own
 * `probabilities` are those that are left when temperature, top-k and grammar have done their work.
 */
export async function nextProbabilities(sequence: LlamaContextSequence): Promise<readonly number[]> {
  const { _context, model } = sequence as unknown as HiddenSequence;
  const sampler = new model._llama._bindings.AddonSampler(model._model);
  try {
    // A greedy sampler takes no token away.
    sampler.applyConfig({ temperature: 0 });
    const [, probabilities] = await _context._ctx.sampleToken(-1, sampler, true, false);
    return probabilities;
  } finally {
    sampler.dispose();
  }
}
