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

interface SamplerConfig {
  readonly seed: number;
  readonly tokenBiasKeys?: Uint32Array;
  readonly tokenBiasValues?: Float32Array;
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
  _resolveSamplerConfig(options: SequenceEvaluateOptions): SamplerConfig;
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

/** A grammar that holds where a token is sampled. */
export interface Held {
  readonly state: LlamaGrammarEvaluationState;
  /** All that it lets come next, where they are few (few.ts). Absent: llama.cpp looks for itself. */
  readonly few?: () => readonly number[] | undefined;
}

/** Of all contexts: when what was asked for last has been sampled. */
const sampled = new WeakMap<HiddenContext, Promise<unknown>>();

/**
 * As `sequence.evaluate` samples, but for two things. The library's own `probabilities` are those that are left when temperature, top-k
 * and grammar have done their work. And it samples all sequences of a batch at once, in several threads: llama.cpp brings the
 * outputs of a batch into order when the first one is asked for, so that now and then each sequence got the token of another.
 */
export function openSampling(
  sequence: LlamaContextSequence,
  options: SequenceEvaluateOptions,
  holding: () => Held | undefined,
): Sampling {
  const hidden = sequence as unknown as HiddenSequence;
  const { _ctx: context } = hidden._context;
  const { _model, _llama } = hidden.model;
  const { AddonSampler } = _llama._bindings;
  const sampler = new AddonSampler(_model);
  let plain: Sampler | undefined;
  /** A sampler of its own, since so many biases take long to be exchanged. */
  let choosing: { readonly among: ReturnType<typeof chooser>; readonly sampler: Sampler } | undefined;

  /**
   * Freely first, as llama.cpp does: what the grammar lets pass needs no look at the rest of the vocabulary. Where it refuses, a second
   * draw is made among those that it allows, with a random number of its own. So greedy is the best that is allowed; with a
   * temperature alone each comes as often as the model means it among those allowed; and top-k, top-p and min-p cut the
   * whole vocabulary at the first draw, and what is allowed of it at the second.
   */
  async function draw(output: number): Promise<number> {
    const config = hidden._resolveSamplerConfig(options);
    const drawn = (by: object) => {
      sampler.applyConfig(by);
      return context.sampleToken(output, sampler);
    };
    const held = holding();
    if (!held) return drawn(config);
    const { state, few } = held;
    // It looks at the whole vocabulary where the first draw is refused, and moves the state on by itself.
    const drawnByItself = () =>
      drawn({ ...config, grammarEvaluationState: (state as unknown as Hidden)._state });
    if (!few) return drawnByItself();
    let id = await drawn(config);
    if (!grammarAllows(state, id)) {
      const allowed = few();
      if (!allowed || allowed.length === 0) return drawnByItself();
      id = allowed.length === 1 ? allowed[0]! : await drawnAmong(output, allowed, config);
    }
    moveGrammar(state, id);
    return id;
  }

  function drawnAmong(output: number, ids: readonly number[], config: SamplerConfig): Promise<number> {
    const { tokens = [] } = sequence.model.fileInfo.metadata.tokenizer.ggml;
    choosing ??= { among: chooser(tokens.length), sampler: new AddonSampler(_model) };
    choosing.sampler.applyConfig(choosing.among(ids, config));
    return context.sampleToken(output, choosing.sampler);
  }

  async function sample(output: number, probabilities: boolean): Promise<Sampled> {
    const id = await draw(output);
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
      choosing?.sampler.dispose();
    },
  };
}

/** Beyond, llama.cpp would take a seed of its own. */
const mostSeeds = 2 ** 32 - 1;

/** Makes a sampler's settings that leave it some ids and no other, each with the bias that it has. */
function chooser(size: number) {
  let ids: Uint32Array | undefined;
  const biases = new Float32Array(size).fill(Number.NEGATIVE_INFINITY);
  let last: readonly number[] = [];
  return (few: readonly number[], config: SamplerConfig): SamplerConfig => {
    ids ??= new Uint32Array(size).map((_, id) => id);
    for (const id of last) biases[id] = Number.NEGATIVE_INFINITY;
    for (const id of few) biases[id] = 0;
    config.tokenBiasKeys?.forEach((id, index) => {
      biases[id]! += config.tokenBiasValues![index]!;
    });
    last = few;
    return { ...config, seed: (config.seed + 1) % mostSeeds, tokenBiasKeys: ids, tokenBiasValues: biases };
  };
}
