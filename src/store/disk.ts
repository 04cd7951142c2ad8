/** Room on the disk, and what it means when a file cannot be written. */
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';
import { makeFolder } from '../engine/llama/make-folder.ts';
import { bytesText } from './bytes-text.ts';

/** Left free for everything else that writes there. */
const reserve = 64 * 1024 ** 2;

/** @throws RawcallError `disk_full` */
export async function needRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (bytes === 0 || free >= bytes + reserve) return;
  throw full(
    folder,
    `${bytesText(bytes)} are still to come, and ${bytesText(free)} are free (${bytesText(reserve)} are left to others)`,
    {
      needed: bytes,
      free,
    },
  );
}

/** @throws RawcallError `store_not_writable`, `disk_full` */
export async function makeStoreFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o777).catch(cause => {
    throw diskError(folder, cause);
  });
}

/** What the system says of writing, in words for people; anything else as it is. */
export function diskError(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const folder = path.dirname(file);
  switch (code) {
    case 'ENOSPC':
      return full(folder, 'the disk has no room left', { code }, error);
    case 'EDQUOT':
      return full(folder, 'your quota of the disk is used up', { code }, error);
    case 'EFBIG':
      return full(
        folder,
        'no file may grow so large there (a limit of this system or of its disk)',
        { code },
        error,
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ENOENT':
      return new RawcallError(
        'store_not_writable',
        `${file} cannot be written (${code}). Let the folder be written to, or name another in RAWCALL_STORE.`,
        { file, code },
        error,
      );
    default:
      return error;
  }
}

/**
 * What is read, and nothing where there is nothing.
 *
 * @throws RawcallError `store_not_readable`: what is there and may not be read is not as good as absent
 */
export async function ifThere<T>(file: string, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new RawcallError(
      'store_not_readable',
      `${file} cannot be read (${code}). Let it be read, or name another folder in RAWCALL_STORE.`,
      { file, code },
      cause,
    );
  }
}

function full(folder: string, why: string, details: Record<string, unknown>, cause?: unknown): RawcallError {
  const message = `There is not enough room in ${folder}: ${why}. Make room (rawcall models remove), or name a folder on another disk in RAWCALL_STORE.`;
  return new RawcallError('disk_full', message, { folder, ...details }, cause);
}
