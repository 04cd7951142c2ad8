/** What node-llama-cpp has and does not publish: a grammar's state, asked and moved on without the sampler. Its version is pinned. */
import type { LlamaGrammarEvaluationState } from 'node-llama-cpp';

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
