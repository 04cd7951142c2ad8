/** Opens the context that holds the KV cache, as large as was asked or as fits. */
import { availableParallelism } from 'node:os';
import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import { RawcallError } from '../../../parsers/error.ts';
import type { LoraAdapter } from './lora.ts';
import type { Native } from './native.ts';

interface ContextOptions {
  readonly contextSize?: number;
  /** Each holds a whole `contextSize`. Default 1. */
  readonly sequences?: number;
  readonly threads?: number;
  readonly batchSize?: number;
  readonly keepSlidingWindow?: boolean;
  readonly lora?: readonly LoraAdapter[];
  readonly signal?: AbortSignal;
}

const defaultContextSize = 8192;
/** Of weights, in bytes. Measured: with 2 threads a model of 3 MB is nine times slower than with 1, one of 98 MB faster. */
const tinyModel = 32 * 1024 * 1024;

export async function openContext(
  native: Native,
  model: LlamaModel,
  options: ContextOptions,
): Promise<LlamaContext> {
  const { contextSize, sequences = 1, signal, batchSize, keepSlidingWindow = true, lora = [] } = options;
  const threads = options.threads ?? defaultThreads(native, model);
  const trained = model.fileInsights.trainContextSize ?? defaultContextSize;
  const tooLarge = async (asked: number, cause?: unknown) => {
    const largest = await largestContext(native, model, { keepSlidingWindow, sequences });
    if (cause === undefined && asked <= largest) return;
    throw new RawcallError(
      'context_too_large',
      `A context of ${asked} tokens does not fit into memory; about ${largest} would. Ask for less, or close other programs.`,
      { contextSize: asked, largest },
      cause,
    );
  };
  // The library takes minutes to find out that a context of many millions of tokens does not fit.
  if (contextSize !== undefined && contextSize > trained) await tooLarge(contextSize);
  try {
    return await model.createContext({
      contextSize: contextSize ?? { max: Math.min(trained, defaultContextSize) },
      sequences,
      // In the order of their lanes.
      batching: { itemPrioritizationStrategy: 'firstInFirstOut' },
      swaFullCache: keepSlidingWindow,
      threads,
      // The file is loaded once, for all contexts of the model.
      lora: { adapters: lora.map(({ path, scale = 1 }) => ({ filePath: path, scale })) },
      ...(batchSize === undefined ? {} : { batchSize }),
      ...(signal ? { createSignal: signal } : {}),
    });
  } catch (cause) {
    if (!signal?.aborted && contextSize !== undefined && /too large|memory/i.test(String(cause))) {
      await tooLarge(contextSize, cause);
    }
    throw cause;
  }
}

/**
 * The library's own default is at least 4, and llama.cpp's threads wait for each other actively: with 4 on 2 cores
 * a token took 3 seconds where it takes 14 ms with 2 (SmolLM2 135M).
 */
function defaultThreads(native: Native, model: LlamaModel): number {
  if (model.fileInsights.modelSize < tinyModel) return 1;
  return Math.max(1, Math.min(native.llama.cpuMathCores, availableParallelism()));
}

const mostParallel = 4;

/** How many sequences a server has where nobody says: what half of the free memory holds, at most 4. */
export async function sequencesThatFit(
  native: Native,
  model: LlamaModel,
  { contextSize, keepSlidingWindow = true }: ContextOptions,
): Promise<number> {
  const trained = model.fileInsights.trainContextSize ?? defaultContextSize;
  const size = contextSize ?? Math.min(trained, defaultContextSize);
  const { ram, vram } = await freeMemory(native);
  for (let sequences = mostParallel; sequences > 1; sequences--) {
    const { cpuRam, gpuVram } = await memoryNeeds(model, size, { keepSlidingWindow, sequences });
    if (cpuRam <= ram / 2 && gpuVram <= vram / 2) return sequences;
  }
  return 1;
}

/** In bytes. Where there is no GPU, nothing is asked of its memory. */
async function freeMemory({ llama }: Native): Promise<{ readonly ram: number; readonly vram: number }> {
  const { free: ram } = await llama.getRamState();
  return { ram, vram: llama.gpu === false ? Number.POSITIVE_INFINITY : (await llama.getVramState()).free };
}

export interface CacheShape {
  readonly keepSlidingWindow: boolean;
  readonly sequences: number;
}

/** Of a context, in bytes, as the library estimates it. */
export function memoryNeeds(
  model: LlamaModel,
  contextSize: number,
  { keepSlidingWindow, sequences }: CacheShape,
): Promise<{ readonly cpuRam: number; readonly gpuVram: number }> {
  return model.fileInsights.estimateContextResourceRequirementsV2({
    contextSize,
    sequences,
    modelGpuLayers: model.gpuLayers,
    swaFullCache: keepSlidingWindow,
  });
}

/** From two of the library's estimates, as memory grows in proportion to the context; a multiple of llama.cpp's 256. */
export async function largestContext(native: Native, model: LlamaModel, shape: CacheShape): Promise<number> {
  const needs = (contextSize: number) => memoryNeeds(model, contextSize, shape);
  const [small, large] = [await needs(2048), await needs(4096)];
  const fits = (memory: 'cpuRam' | 'gpuVram', free: number) => {
    const growth = (large[memory] - small[memory]) / 2048;
    return growth <= 0 ? Number.POSITIVE_INFINITY : 4096 + (free - large[memory]) / growth;
  };
  const { ram, vram } = await freeMemory(native);
  const most = Math.min(fits('cpuRam', ram), fits('gpuVram', vram));
  return Math.max(0, Math.floor(most / 256) * 256);
}
