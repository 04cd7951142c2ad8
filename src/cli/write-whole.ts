/** Writes a file so that it holds either what it held before or all of the new text. */
import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

export async function writeWhole(file: string, text: string): Promise<void> {
  // A link goes on pointing to the file, which keeps its rights: there may be secrets in it.
  const target = await realpath(file).catch(() => file);
  const mode = await stat(target).then(
    found => found.mode & 0o777,
    () => undefined,
  );
  const unfinished = `${target}.${randomUUID().slice(0, 8)}.partial`;
  try {
    await writeFile(unfinished, text, mode === undefined ? {} : { mode });
    await rename(unfinished, target);
  } finally {
    await rm(unfinished, { force: true });
  }
}
