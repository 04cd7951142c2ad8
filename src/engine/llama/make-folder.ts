/** A folder for what is kept. */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * With all folders above it. Node's own way never ends where a folder is there and says of a new one in it that there is no
 * such folder, as those of /proc do.
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  if (await stat(folder).catch(() => undefined)) return;
  await makeFolder(path.dirname(folder), mode);
  await mkdir(folder, { mode }).catch((error: NodeJS.ErrnoException) => {
    // Another process was faster.
    if (error.code !== 'EEXIST') throw error;
  });
}
