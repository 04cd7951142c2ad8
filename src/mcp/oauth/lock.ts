/** One process at a time, by a file that only one of them can make. */
import { mkdir, open, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawcallError } from '../../../parsers/error.ts';
import { cannotKeep } from './login-file.ts';

/** Milliseconds after which a lock was left behind by a process that died. Whoever holds one is done much sooner. */
export const staleAfter = 90_000;
const pause = 50;

/** @throws RawcallError `mcp_login_failed` where the file cannot be made */
export async function alone<T>(file: string, work: () => Promise<T>): Promise<T> {
  const patience = Date.now() + staleAfter + 10_000;
  while (!(await taken(file))) {
    if (Date.now() > patience) {
      const message = `${file}: another rawcall has held this lock for long. If none runs, delete it.`;
      throw new RawcallError('mcp_login_failed', message, { file });
    }
    await sleep(pause);
  }
  try {
    return await work();
  } finally {
    await unlink(file).catch(() => {});
  }
}

async function taken(file: string): Promise<boolean> {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await (await open(file, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    // Windows says EPERM of one that is just being deleted.
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'open' || (code !== 'EEXIST' && code !== 'EPERM')) throw cannotKeep(file, error);
  }
  const since = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  if (since !== undefined && Date.now() - since > staleAfter) await unlink(file).catch(() => {});
  return false;
}
