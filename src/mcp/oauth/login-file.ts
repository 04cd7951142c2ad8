/** A login in a file that its user alone may read, for machines without a keyring. */
import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { RawcallError } from '../../../parsers/error.ts';

/** A file that is there and is not to be used: why, for people. */
export interface Refused {
  readonly refused: string;
}

/** Why nothing can be kept there, and what to do. */
export function cannotKeep(file: string, error: unknown): RawcallError {
  const { code = 'failed' } = error as NodeJS.ErrnoException;
  const message = `Logins cannot be kept in ${path.dirname(file)} (${code}). Let it be written to, or name another folder in RAWCALL_DATA.`;
  return new RawcallError('mcp_login_failed', message, { file });
}

/** Nothing where there is no such file. */
export async function readPrivate(file: string): Promise<string | Refused | undefined> {
  try {
    // Of a link itself: what it leads to was not written by us.
    const found = await lstat(file);
    if (!found.isFile()) return { refused: 'it is no plain file' };
    // Windows has no such bits; there the user's own folder is closed to others.
    if (process.platform !== 'win32') {
      if (found.uid !== process.getuid?.()) return { refused: 'it belongs to another user' };
      if ((found.mode & 0o077) !== 0) return { refused: 'others than its owner may read it' };
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { refused: `it cannot be read (${code})` };
  }
}

/**
 * Whole or not at all: who reads meanwhile gets the old text.
 *
 * @throws RawcallError `mcp_login_failed`
 */
export async function writePrivate(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  const fresh = `${file}.${randomUUID()}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // It may have been made before, with other rights.
    await chmod(folder, 0o700);
    const handle = await open(fresh, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
  } catch (error) {
    await unlink(fresh).catch(() => {});
    throw cannotKeep(file, error);
  }
}

/** True where there was one. */
export async function removePrivate(file: string): Promise<boolean> {
  try {
    await unlink(file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw cannotKeep(file, error);
  }
}
