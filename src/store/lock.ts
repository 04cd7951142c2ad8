/** One process at a time, for as long as it takes: a file that its holder touches, and that counts for nothing once its holder is gone. */
import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { diskError } from './disk.ts';

export interface LockOptions {
  readonly signal?: AbortSignal;
  /** Told now and then, as long as another process holds it. */
  readonly onWait: (holder: Holder) => void;
}

export interface Holder {
  readonly pid: number;
  readonly host: string;
}

const touched = 5_000;
/** Milliseconds after which a holder who did not touch it is gone, or asleep. */
const staleAfter = 30_000;
const pause = 250;

/** @throws RawcallError `store_not_writable`; the signal's reason; what the work throws */
export async function locked<T>(
  file: string,
  { signal, onWait }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  while (!(await taken(file))) {
    const holder = await holderOf(file);
    if (holder === undefined) continue;
    onWait(holder);
    await sleep(pause, undefined, signal ? { signal } : {}).catch(cause => {
      throw signal?.aborted ? signal.reason : cause;
    });
  }
  const heart = setInterval(() => {
    const now = new Date();
    void utimes(file, now, now).catch(() => {});
  }, touched);
  heart.unref();
  try {
    return await work();
  } finally {
    clearInterval(heart);
    await unlink(file).catch(() => {});
  }
}

async function taken(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder));
    await handle.close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || isBeingDeleted(error)) return false;
    throw diskError(file, error);
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Windows says so of a file that somebody is just deleting. */
const isBeingDeleted = (error: unknown) => codeOf(error) === 'EPERM' && process.platform === 'win32';

/** Who holds it; nobody where it was left behind, and is out of the way now. */
async function holderOf(file: string): Promise<Holder | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return undefined;
  const text = await readFile(file, 'utf8').catch(() => '');
  const holder = parse(text);
  const silent = Date.now() - found.mtimeMs > staleAfter;
  const gone = holder !== undefined && holder.host === hostname() && !alive(holder.pid);
  if (!silent && !gone) return holder ?? { pid: 0, host: 'unknown' };
  await takeAway(file, text);
  return undefined;
}

/** Whoever else saw the same may have been faster, and hold a new one: that is put back. */
async function takeAway(file: string, text: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    // Somebody else was faster.
    if (codeOf(error) === 'ENOENT' || isBeingDeleted(error)) return;
    throw diskError(file, error);
  }
  if ((await readFile(aside, 'utf8').catch(() => text)) !== text) await link(aside, file).catch(() => {});
  await unlink(aside).catch(() => {});
}

function parse(text: string): Holder | undefined {
  try {
    const { pid, host } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
