/** What computes, and what memory it has: for people who ask why a model is slow or does not fit. */
import type { LlamaModel } from 'node-llama-cpp';
import { type CacheShape, largestContext, memoryNeeds } from './context.ts';
import { type Gpu, type Native, openNative } from './native.ts';

export interface Computer {
  /** Absent: the CPU computes. */
  readonly gpu?: 'metal' | 'cuda' | 'vulkan';
  readonly devices: readonly string[];
  /** In bytes. */
  readonly vram?: { readonly total: number; readonly free: number };
  /** Cores that are good at arithmetic. */
  readonly mathCores: number;
}

/** @throws RawcallError `no_native_binary`, `gpu_unavailable` */
export async function describeComputer(gpu: Gpu = 'auto'): Promise<Computer> {
  const { llama } = await openNative(gpu);
  const mathCores = llama.cpuMathCores;
  if (llama.gpu === false || gpu === 'off') return { devices: [], mathCores };
  const { total, free } = await llama.getVramState();
  return { gpu: llama.gpu, devices: await llama.getGpuDeviceNames(), vram: { total, free }, mathCores };
}

export interface ContextMemory {
  /** What the context takes, in bytes, as the library estimates it. */
  readonly ram: number;
  readonly vram: number;
  /** So many tokens a sequence of the context could have, beside what the machine does now. */
  readonly largestContext: number;
}

export async function contextMemory(
  native: Native,
  model: LlamaModel,
  contextSize: number,
  shape: CacheShape,
): Promise<ContextMemory> {
  const { cpuRam, gpuVram } = await memoryNeeds(model, contextSize, shape);
  const largest = await largestContext(native, model, shape);
  return { ram: cpuRam, vram: gpuVram, largestContext: largest };
}
