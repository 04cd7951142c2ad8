/** Whether what is stored is still what was pulled. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { notReadable } from '../engine/llama/not-readable.ts';
import type { StoredFile, StoredModel } from './store.ts';

export interface Damage {
  readonly file: StoredFile;
  /** As it is now. */
  readonly sha256: string;
}

/**
 * The files whose bytes have changed; all are read.
 *
 * @throws RawcallError `model_not_readable`; the signal's reason
 */
export async function verify(
  { files }: StoredModel,
  { signal, onProgress }: { readonly signal?: AbortSignal; readonly onProgress: (bytes: number) => void },
): Promise<readonly Damage[]> {
  const damages: Damage[] = [];
  let read = 0;
  for (const file of files) {
    const sha256 = await digestOf(file.path, signal, bytes => {
      read += bytes;
      onProgress(read);
    }).catch(error => {
      throw notReadable(file.path, error);
    });
    if (sha256 !== file.sha256) damages.push({ file, sha256 });
  }
  return damages;
}

/** @throws the signal's reason */
export async function digestOf(
  file: string,
  signal?: AbortSignal,
  onBytes: (bytes: number) => void = () => {},
): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    signal?.throwIfAborted();
    hash.update(bytes as Buffer);
    onBytes((bytes as Buffer).length);
  }
  return hash.digest('hex');
}
