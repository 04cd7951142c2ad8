/**
 * A file elsewhere into a part here, which is gone on with after whatever ended the last try: a cut connection, Ctrl-C, a kill. Bytes are
 * written at their places, so that two processes that should ever write one part write the same.
 */
import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { RawcallError } from '../../parsers/error.ts';
import { diskError } from './disk.ts';
import { pauseAfter } from './patience.ts';
import { type Asking, addressRefusal, type Remote, refuseIfPassing } from './remote.ts';
import { ask, shown, type WebAnswer, webFailed } from './web.ts';

export interface Download extends Asking {
  readonly remote: Remote;
  readonly part: string;
  /** How much of the file is there, from time to time. */
  readonly onProgress: (bytes: number) => void;
}

/** What is there, as far as it is counted. */
interface Progress {
  readonly handle: FileHandle;
  hash: Hash;
  at: number;
}

/**
 * Gives the SHA-256 of the whole.
 *
 * @throws RawcallError `download_failed`, `download_refused`, `download_damaged`, `disk_full`, `store_not_writable`; the signal's
 * reason. The part stays.
 */
export async function download(
  options: Download,
): Promise<{ readonly size: number; readonly sha256: string }> {
  const { part, remote, patience, signal } = options;
  const handle = await open(part, constants.O_RDWR | constants.O_CREAT, 0o644).catch(cause => {
    throw diskError(part, cause);
  });
  try {
    const progress: Progress = { handle, hash: createHash('sha256'), at: 0 };
    await goThrough(progress, options);
    let failed = 0;
    while (remote.size === undefined || progress.at < remote.size) {
      const before = progress.at;
      try {
        await fetchRest(progress, options);
        break;
      } catch (error) {
        failed = progress.at > before ? 1 : failed + 1;
        if (failed >= patience.tries) throw error;
        await pauseAfter(error, failed, patience, signal);
      }
    }
    await handle.truncate(progress.at);
    await handle.sync();
    return { size: progress.at, sha256: progress.hash.digest('hex') };
  } catch (error) {
    throw diskError(part, error);
  } finally {
    await handle.close();
  }
}

const piece = 1024 * 1024;

/** What an earlier try left counts, as soon as its hash is known. */
async function goThrough(progress: Progress, { remote, signal, onProgress }: Download): Promise<void> {
  const { size } = await progress.handle.stat();
  if (remote.identity === undefined || size > (remote.size ?? size)) return startOver(progress);
  const buffer = Buffer.alloc(piece);
  while (progress.at < size) {
    signal?.throwIfAborted();
    const { bytesRead } = await progress.handle.read(buffer, 0, piece, progress.at);
    if (bytesRead === 0) break;
    progress.hash.update(buffer.subarray(0, bytesRead));
    progress.at += bytesRead;
    onProgress(progress.at);
  }
}

async function startOver(progress: Progress): Promise<void> {
  await progress.handle.truncate(0);
  progress.hash = createHash('sha256');
  progress.at = 0;
}

async function fetchRest(
  progress: Progress,
  { remote, patience, signal, onProgress }: Download,
): Promise<void> {
  const { url, authorization, size, identity } = remote;
  if (identity === undefined) await startOver(progress);
  const from = progress.at;
  const answer = await ask({
    url,
    method: 'GET',
    timeouts: patience.timeouts,
    headers: from > 0 ? { range: `bytes=${from}-` } : {},
    ...(authorization === undefined ? {} : { authorization }),
    ...(signal ? { signal } : {}),
  });
  try {
    refuseIfPassing(url, answer);
    if (answer.status === 416) {
      await startOver(progress);
      throw webFailed(url, 'cut', 'the server has not what it announced; it is asked for from the start');
    }
    if (answer.status >= 400) throw addressRefusal(url, answer.status);
    const total = totalOf(answer);
    if (size !== undefined && total !== undefined && total !== size)
      throw otherSize(url, `${total} bytes are offered, and ${size} were announced`);
    if (from > 0 && !continues(answer, from)) await startOver(progress);
    for await (const bytes of answer.body) {
      if (size !== undefined && progress.at + bytes.length > size)
        throw otherSize(url, `more than the ${size} bytes came that were announced`);
      await writeAll(progress.handle, bytes, progress.at);
      progress.hash.update(bytes);
      progress.at += bytes.length;
      onProgress(progress.at);
    }
  } finally {
    await answer.body.return();
  }
  if (size !== undefined && progress.at < size)
    throw webFailed(url, 'cut', `it ended after ${progress.at} of ${size} bytes`);
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** A server may ignore what part it was asked for. */
function continues({ status, headers }: WebAnswer, from: number): boolean {
  return status === 206 && new RegExp(`^bytes ${from}-`).test(headers.get('content-range') ?? '');
}

function totalOf({ status, headers }: WebAnswer): number | undefined {
  const text =
    status === 206
      ? /^bytes \d+-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
      : headers.get('content-length');
  return text === undefined || text === null ? undefined : Number(text);
}

function otherSize(url: URL, why: string): RawcallError {
  return new RawcallError(
    'download_damaged',
    `${shown(url)} is not what it should be: ${why}. Nothing of it is kept.`,
    { url: shown(url) },
  );
}
