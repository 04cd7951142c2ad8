/** Loads a GGUF file, and says what is wrong with one that can't be loaded. */
import { open, stat } from 'node:fs/promises';
import type { LlamaModel } from 'node-llama-cpp';
import { RawcallError } from '../../../parsers/error.ts';
import { checkBounds } from './gguf-bounds.ts';
import type { Native } from './native.ts';
import { isForbidden, notReadable } from './not-readable.ts';

interface LoadOptions {
  readonly model: string;
  readonly gpuLayers?: number;
  readonly vocabularyOnly?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
}

export async function loadModel(native: Native, options: LoadOptions): Promise<LlamaModel> {
  const { model: file, gpuLayers, vocabularyOnly = false, signal, onProgress } = options;
  await checkFile(file);
  const log = native.log.listen();
  try {
    return await native.llama.loadModel({
      modelPath: file,
      vocabOnly: vocabularyOnly,
      ...(gpuLayers === undefined ? {} : { gpuLayers }),
      ...(signal ? { loadSignal: signal } : {}),
      ...(onProgress ? { onLoadProgress: onProgress } : {}),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw loadError(file, await log.awaited(), cause);
  } finally {
    log.stop();
  }
}

/** @throws RawcallError `model_not_found`, `model_not_readable`, `model_not_gguf`, `model_truncated`, `model_damaged` */
export async function checkFile(file: string): Promise<void> {
  const found = await stat(file).catch(cause => {
    if (isForbidden(cause)) throw notReadable(file, cause);
  });
  if (!found?.isFile()) {
    const what = found ? 'is a folder, not a file' : 'does not exist';
    throw new RawcallError('model_not_found', `The model ${file} ${what}. Give the path of a .gguf file.`, {
      path: file,
    });
  }
  const handle = await open(file).catch(cause => {
    throw notReadable(file, cause);
  });
  try {
    const { buffer } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    const beginning = buffer.toString('latin1');
    if (beginning.startsWith('GGUF')) return checkBounds(file);
    const what = beginning.startsWith('version https://git-lfs')
      ? 'a Git LFS pointer: fetch the file itself with git lfs pull'
      : /^\s*</.test(beginning)
        ? 'a web page, as a failed download leaves it: download it again'
        : 'something else: convert the model to GGUF, or give another file';
    throw new RawcallError('model_not_gguf', `${file} is no GGUF file but ${what}.`, {
      path: file,
      beginning,
    });
  } finally {
    await handle.close();
  }
}

export function loadError(file: string, log: readonly string[], cause: unknown): RawcallError {
  const lines = log.join('\n');
  const details = { path: file, log };
  const architecture = /unknown model architecture: '([^']*)'/.exec(lines)?.[1];
  if (architecture !== undefined) {
    return new RawcallError(
      'model_architecture_unknown',
      `${file} is a model of architecture "${architecture}", which this version of llama.cpp does not know. Update node-llama-cpp, or use another model.`,
      { ...details, architecture },
      cause,
    );
  }
  if (
    /not within the file bounds|corrupted or incomplete|failed to read|unexpected end|eof/i.test(
      `${lines}\n${cause}`,
    )
  ) {
    return new RawcallError(
      'model_truncated',
      `${file} ends before its tensors do: the download was cut short. Download it again and compare its size and SHA-256.`,
      details,
      cause,
    );
  }
  return new RawcallError(
    'model_not_loaded',
    `llama.cpp can't load ${file}: ${lines || String(cause)}`,
    details,
    cause,
  );
}
