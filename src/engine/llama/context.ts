/** Opens the context that holds the KV cache, as large as was asked or as fits. */
import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import { RawcallError } from '../../../parsers/error.ts';
import type { Native } from './native.ts';

interface ContextOptions {
  readonly contextSize?: number;
  readonly threads?: number;
  readonly batchSize?: number;
  readonly keepSlidingWindow?: boolean;
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
  const { contextSize, signal, batchSize, keepSlidingWindow = true } = options;
  const threads = options.threads ?? (model.fileInsights.modelSize < tinyModel ? 1 : undefined);
  const trained = model.fileInsights.trainContextSize ?? defaultContextSize;
  try {
    return await model.createContext({
      contextSize: contextSize ?? { max: Math.min(trained, defaultContextSize) },
      swaFullCache: keepSlidingWindow,
      ...(threads === undefined ? {} : { threads }),
      ...(batchSize === undefined ? {} : { batchSize }),
      ...(signal ? { createSignal: signal } : {}),
    });
  } catch (cause) {
    if (signal?.aborted || contextSize === undefined) throw cause;
    const largest = await largestContext(native, model, contextSize, keepSlidingWindow);
    throw new RawcallError(
      'context_too_large',
      `A context of ${contextSize} tokens does not fit into memory; about ${largest} would. Ask for less, or close other programs.`,
      { contextSize, largest },
      cause,
    );
  }
}

/** By the library's own estimates, to a step of 256, which is what llama.cpp rounds to. */
async function largestContext(
  native: Native,
  model: LlamaModel,
  tooLarge: number,
  swaFullCache: boolean,
): Promise<number> {
  const { llama } = native;
  const { free: ram } = await llama.getRamState();
  const vram = llama.gpu === false ? 0 : (await llama.getVramState()).free;
  let fits = 0;
  let fails = Math.ceil(tooLarge / 256);
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    const needs = await model.fileInsights.estimateContextResourceRequirementsV2({
      contextSize: middle * 256,
      modelGpuLayers: model.gpuLayers,
      swaFullCache,
    });
    if (needs.cpuRam <= ram && needs.gpuVram <= vram) fits = middle;
    else fails = middle;
  }
  return fits * 256;
}
