/** What a saved state depends on besides its tokens. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { LlamaContext } from 'node-llama-cpp';
import type { LoraAdapter } from './lora.ts';
import type { Native } from './native.ts';

const part = 1024 * 1024;

/**
 * The model file is known by its size, its date and the hash of its first and last mebibyte: the metadata and tensor list are in the
 * first, weights in both. Reading all of a file of gigabytes would cost more than the state saves. Two files that agree in
 * all of it and differ between would have the same shapes, so that the worst of it were bad words, not memory
 * that is read wrongly.
 */
export async function stateIdentity(
  file: string,
  adapters: readonly LoraAdapter[],
  native: Native,
  context: LlamaContext,
): Promise<string> {
  const { library, llama } = native;
  const { kvCacheKeyType, kvCacheValueType, flashAttention, totalSequences } = context;
  return JSON.stringify([
    Object.values(await fileIdentity(file)),
    await Promise.all(
      adapters.map(async ({ path, scale = 1 }) => [Object.values(await fileIdentity(path)), scale]),
    ),
    await library.getModuleVersion(),
    llama.llamaCppRelease.release,
    llama.gpu,
    // llama.cpp loads a state only into a context with as many sequences as that it came from.
    [kvCacheKeyType, kvCacheValueType, flashAttention, totalSequences],
  ]);
}

export interface FileIdentity {
  readonly size: number;
  readonly modified: number;
  /** Of the first and the last mebibyte. */
  readonly sha256: string;
}

export async function fileIdentity(file: string): Promise<FileIdentity> {
  const handle = await open(file);
  try {
    const { size, mtimeMs } = await handle.stat();
    const hash = createHash('sha256');
    for (const start of [0, Math.max(0, size - part)]) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(part), 0, part, start);
      hash.update(buffer.subarray(0, bytesRead));
    }
    return { size, modified: mtimeMs, sha256: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}
