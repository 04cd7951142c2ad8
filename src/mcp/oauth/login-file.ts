/** A login in a file that its user alone may read, for machines without a keyring. */
import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import path from 'node:path';

/** A file that is there and is not to be used: why, for people. */
export interface Refused {
  readonly refused: string;
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
    return code === 'ENOENT' ? undefined : { refused: `it cannot be read (${code})` };
  }
}

/** Whole or not at all: who reads meanwhile gets the old text. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // It may have been made before, with other rights.
  await chmod(folder, 0o700);
  const fresh = `${file}.${randomUUID()}`;
  try {
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
    throw error;
  }
}

/** True where there was one. */
export async function removePrivate(file: string): Promise<boolean> {
  try {
    await unlink(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
