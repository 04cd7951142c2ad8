/**
 * What node-llama-cpp has and does not publish: a grammar's state, asked and moved on without the sampler, and sampling that
 * stands where the outputs of a batch do. Its version is pinned.
 */
import type {
  LlamaContextSequence,
  LlamaGrammarEvaluationState,
  SequenceEvaluateOptions,
} from 'node-llama-cpp';

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

/** An own type in the library's bindings. */
interface Sampler {
  applyConfig(config: object): void;
  dispose(): void;
}

interface HiddenContext {
  sampleToken(output: number, sampler: Sampler): Promise<number>;
  sampleToken(
    output: number,
    sampler: Sampler,
    probabilities: true,
    confidence: false,
  ): Promise<[number, number[]]>;
}

interface HiddenSequence {
  readonly _context: { readonly _ctx: HiddenContext };
  readonly _tokenMeter: unknown;
  readonly _takeIntervalCheckpointIfNeededAfterBatch: unknown;
  readonly model: {
    readonly _model: unknown;
    readonly _llama: { readonly _bindings: { readonly AddonSampler: new (model: unknown) => Sampler } };
  };
  _resolveSamplerConfig(options: SequenceEvaluateOptions): object;
  _decodeTokens<Value>(
    ids: readonly number[],
    outputs: readonly boolean[],
    priority: SequenceEvaluateOptions['evaluationPriority'],
    meter: unknown,
    contextShift: SequenceEvaluateOptions['contextShift'],
    atOutput: (output: number) => Promise<Value>,
    afterBatch: unknown,
  ): Promise<Value[]>;
}

export interface Sampled {
  readonly id: number;
  /** Where they were asked for: ids and their probabilities in turn, the likeliest first, before temperature, penalties and grammar. */
  readonly probabilities?: readonly number[];
}

export interface Sampling {
  /** Evaluates ids at the end of the sequence, and samples what follows them. */
  next(ids: readonly number[], probabilities: boolean): Promise<Sampled>;
  close(): void;
}

/** Of all contexts: when what was asked for last has been sampled. */
const sampled = new WeakMap<HiddenContext, Promise<unknown>>();

/**
 * As `sequence.evaluate` samples, but for two things. The library's own `probabilities` are those that are left when temperature, top-k
 * and grammar have done their work. And it samples all sequences of a batch at once, in several threads: llama.cpp brings the
 * outputs of a batch into order when the first one is asked for, so that now and then each sequence got the token of another.
 */
export function openSampling(sequence: LlamaContextSequence, options: SequenceEvaluateOptions): Sampling {
  const hidden = sequence as unknown as HiddenSequence;
  const { _ctx: context } = hidden._context;
  const { _model, _llama } = hidden.model;
  const { AddonSampler } = _llama._bindings;
  const sampler = new AddonSampler(_model);
  let plain: Sampler | undefined;

  async function sample(output: number, probabilities: boolean): Promise<Sampled> {
    sampler.applyConfig(hidden._resolveSamplerConfig(options));
    const id = await context.sampleToken(output, sampler);
    if (id < 0) throw new Error('llama.cpp found no token that may come next.');
    if (!probabilities) return { id };
    plain ??= new AddonSampler(_model);
    // A greedy sampler takes no token away.
    plain.applyConfig({ temperature: 0 });
    const [, all] = await context.sampleToken(output, plain, true, false);
    return { id, probabilities: all };
  }

  return {
    async next(ids, probabilities) {
      const outputs = ids.map((_, index) => index === ids.length - 1);
      const results = await hidden._decodeTokens(
        ids,
        outputs,
        options.evaluationPriority,
        hidden._tokenMeter,
        options.contextShift,
        output => {
          const own = (sampled.get(context) ?? Promise.resolve()).then(() => sample(output, probabilities));
          // A rejection here would leave the batch without an end.
          const settled = own.catch((error: unknown) => ({ error }));
          sampled.set(context, settled);
          return settled;
        },
        hidden._takeIntervalCheckpointIfNeededAfterBatch,
      );
      const result = results[ids.length - 1]!;
      if ('error' in result) throw result.error;
      return result;
    },
    close() {
      sampler.dispose();
      plain?.dispose();
    },
  };
}
