/** The engine of local GGUF models: node-llama-cpp, driven token by token. */
import type { LlamaContext } from 'node-llama-cpp';
import { RawcallError } from '../../parsers/error.ts';
import type { Prompt } from '../../templates/template.ts';
import type { Engine, PromptToken } from './engine.ts';
import { openContext, sequencesThatFit } from './llama/context.ts';
import { openFew } from './llama/few.ts';
import { generate, type Machine } from './llama/generate.ts';
import { openGrammars } from './llama/grammar.ts';
import { stateIdentity } from './llama/identity.ts';
import { type LlamaInfo, modelInfo } from './llama/info.ts';
import { openLanes } from './llama/lanes.ts';
import { checkAdapters, type LoraAdapter } from './llama/lora.ts';
import { type Computer, type ContextMemory, contextMemory, describeComputer } from './llama/memory.ts';
import { loadModel } from './llama/model.ts';
import { type Gpu, openNative } from './llama/native.ts';
import { openQueue } from './llama/queue.ts';
import { openStates } from './llama/states.ts';
import { promptEncoder, promptOfIds, promptTokens } from './llama/tokenise.ts';
import { readVocabulary } from './llama/vocabulary.ts';

export { type Computer, type ContextMemory, describeComputer, type Gpu, type LlamaInfo, type LoraAdapter };

export interface LlamaVocabularyOptions {
  /** Path of a GGUF file. */
  readonly model: string;
  readonly signal?: AbortSignal;
  /** Gets each line that llama.cpp logs. Default: nothing is printed, and the lines that explain a failure are in the error. */
  readonly onLog?: (line: string) => void;
}

export interface LlamaOptions extends LlamaVocabularyOptions {
  /** LoRA adapters that change the model, all of them together. */
  readonly lora?: readonly LoraAdapter[];
  /** In tokens. Default: what the model was trained on and memory allows, at most 8192. */
  readonly contextSize?: number;
  /**
   * How many lanes (`GenerateOptions.lane`) keep their KV cache at a time. Default 2. Each takes the memory of a whole
   * context, but only once there is a lane that asks for it; where memory is short there are fewer.
   */
  readonly lanes?: number;
  /**
   * Generations that run side by side, in the batches of one context. Default 1. `auto`: as many as memory allows, at most 4. Each has a
   * lane, whose memory is taken at once; so `lanes` says nothing then, and nor does a lane's name: a generation gets the lane
   * that holds the longest beginning of its prompt.
   */
  readonly parallel?: number | 'auto';
  /** Default `auto`: the best that works, down to the CPU. */
  readonly gpu?: Gpu;
  /** Layers on the GPU. Default: as many as fit. */
  readonly gpuLayers?: number;
  /** Default: the cores that are good at arithmetic; 1 for models so small that handing out the work takes longer than the work. */
  readonly threads?: number;
  /** Tokens evaluated at once; an abort is noticed between two batches. Default 512. */
  readonly batchSize?: number;
  /**
   * Models with a sliding window forget what left it, so that no prefix could be reused. Default true: keep all, for
   * more memory.
   */
  readonly keepSlidingWindow?: boolean;
  /**
   * Where the states of prefixes (`GenerateOptions.prefix`) are kept for the next start. Default: they are not. Models
   * with a sliding window keep those that are shorter than it. A folder that only you can write to: a state is
   * checked for damage, not for malice.
   */
  readonly stateFolder?: string;
  /** Of all states in the folder together, in bytes; those used least recently are deleted. Default 2 GiB. */
  readonly stateLimit?: number;
  /** Gets what did not go as it should and was helped, such as a saved state that is damaged. */
  readonly onNotice?: (message: string) => void;
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

const defaultStateLimit = 2 * 1024 ** 3;

/** A model's vocabulary and metadata without its weights: enough to detect a format and to count tokens. */
export interface LlamaVocabulary {
  readonly name: string;
  readonly info: LlamaInfo;
  readonly controlTokens: ReadonlySet<string>;
  tokenize(prompt: Prompt): readonly PromptToken[];
  countTokens(prompt: Prompt): number;
  tokenIds(prompt: Prompt): readonly number[];
  close(): Promise<void>;
}

export interface LlamaEngine extends Engine {
  readonly info: LlamaInfo;
  /** Those on top of the model. */
  readonly lora: readonly LoraAdapter[];
  readonly contextSize: number;
  /** Generations that run side by side. */
  readonly parallel: number;
  readonly controlTokens: ReadonlySet<string>;
  tokenize(prompt: Prompt): readonly PromptToken[];
  promptOfIds(ids: readonly number[]): Prompt;
  countTokens(prompt: Prompt): number;
  tokenIds(prompt: Prompt): readonly number[];
  /** What the context takes, and what would fit. */
  memory(): Promise<ContextMemory>;
}

/**
 * @throws RawcallError `model_not_found`, `model_not_gguf`, `model_truncated`, `model_architecture_unknown`,
 * `model_not_loaded`, `lora_not_found`, `lora_not_adapter`, `lora_other_base`, `bad_lora_scale`, `context_too_large`,
 * `no_native_binary`, `gpu_unavailable`; the signal's reason when it aborts.
 */
export async function openLlamaEngine(options: LlamaOptions): Promise<LlamaEngine> {
  const native = await openNative(options.gpu ?? 'auto');
  const log = native.log.listen(options.onLog);
  const model = await loadModel(native, options.gpu === 'off' ? { ...options, gpuLayers: 0 } : options);
  let context: LlamaContext;
  try {
    const { parallel = 1, lora = [] } = options;
    await checkAdapters(native, model, lora);
    const sequences = parallel === 'auto' ? await sequencesThatFit(native, model, options) : parallel;
    context = await openContext(native, model, { ...options, sequences });
  } catch (error) {
    await model.dispose();
    log.stop();
    throw error;
  }

  const { contextSize, batchSize, totalSequences: parallel } = context;
  const { lora = [] } = options;
  const { signal: _openingOnly, ...later } = options;
  const lanes = openLanes({
    context,
    open: () => openContext(native, model, { ...later, contextSize }),
    most: parallel > 1 ? parallel : (options.lanes ?? 2),
  });
  const vocabulary = readVocabulary(model);
  const info = modelInfo(options.model, model, vocabulary);
  const closing = new AbortController();
  const { stateFolder } = options;
  const states =
    stateFolder === undefined
      ? undefined
      : openStates({
          folder: stateFolder,
          limit: options.stateLimit ?? defaultStateLimit,
          name: info.name,
          identity: await stateIdentity(options.model, lora, native, context),
          onNotice: options.onNotice ?? (() => {}),
          closing: closing.signal,
        });
  const encode = promptEncoder(vocabulary);
  const machine: Machine = {
    compile: openGrammars({ native, model, vocabulary }),
    few: openFew(vocabulary),
    noBias: native.library.TokenBias.for(model),
    vocabulary,
    encode,
    lanes,
    states,
    queue: openQueue(parallel),
    contextSize,
    batchSize,
    closing: closing.signal,
  };
  return {
    name: info.name,
    info,
    lora,
    contextSize,
    parallel,
    controlTokens: vocabulary.controlTokens,
    generate(prompt, generateOptions = {}) {
      if (!closing.signal.aborted) return generate(machine, prompt, generateOptions);
      throw new RawcallError('engine_closed', `${info.name} was closed. Open it again.`, { name: info.name });
    },
    tokenize: prompt => promptTokens(prompt, vocabulary),
    promptOfIds: ids => promptOfIds(ids, vocabulary),
    countTokens: prompt => encode(prompt).length,
    tokenIds: encode,
    memory: () =>
      contextMemory(native, model, contextSize, {
        keepSlidingWindow: options.keepSlidingWindow ?? true,
        sequences: parallel,
      }),
    async close() {
      closing.abort();
      await lanes.close();
      await model.dispose();
      log.stop();
    },
  };
}

/** @throws as `openLlamaEngine`, but for what concerns contexts and GPUs */
export async function openLlamaVocabulary(options: LlamaVocabularyOptions): Promise<LlamaVocabulary> {
  const native = await openNative('off');
  const log = native.log.listen(options.onLog);
  const model = await loadModel(native, { ...options, vocabularyOnly: true });
  const vocabulary = readVocabulary(model);
  const encode = promptEncoder(vocabulary);
  const info = modelInfo(options.model, model, vocabulary);
  return {
    name: info.name,
    info,
    controlTokens: vocabulary.controlTokens,
    tokenize: prompt => promptTokens(prompt, vocabulary),
    countTokens: prompt => encode(prompt).length,
    tokenIds: encode,
    async close() {
      await model.dispose();
      log.stop();
    },
  };
}
