/** A folder of saved states: what a prompt begins with at every start is evaluated once. */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Cache } from './cache.ts';
import { makeFolder } from './make-folder.ts';
import { isWhole, readSeal, writeSeal } from './seal.ts';

export interface States {
  /** Puts the state of exactly these ids into the cache, where there is one. */
  load(ids: readonly number[], cache: Cache): Promise<void>;
  /** Keeps the state of a cache that holds exactly these ids. */
  save(ids: readonly number[], cache: Cache): Promise<void>;
}

export interface StatesOptions {
  readonly folder: string;
  /** Of all states together, in bytes. Those that were used least recently are deleted. */
  readonly limit: number;
  /** The model's. */
  readonly name: string;
  /** What the states depend on besides their ids. */
  readonly identity: string;
  readonly onNotice: (message: string) => void;
  /** What fails when the engine is closed is nobody's fault. */
  readonly closing: AbortSignal;
}

/** One saved state. */
export interface SavedState {
  readonly file: string;
  readonly model: string;
  readonly tokens: number;
  /** In bytes. */
  readonly size: number;
  readonly lastUsed: Date;
}

const ending = '.state';
/** What a process that ended while writing has left behind. */
const partial = '.partial';
const partialAge = 60 * 60 * 1000;

export function openStates({ folder, limit, name, identity, onNotice, closing }: StatesOptions): States {
  function fileOf(ids: readonly number[]): { key: string; file: string } {
    const key = createHash('sha256').update(`${identity}\n${ids.join()}`).digest('hex');
    return { key, file: path.join(folder, `${key.slice(0, 32)}${ending}`) };
  }

  return {
    async load(ids, cache) {
      const { key, file } = fileOf(ids);
      if (!(await exists(file))) return;
      try {
        const seal = await readSeal(file);
        if (seal?.key !== key) throw new Error('it is of something else, or no saved state');
        if (!(await isWhole(file, seal))) throw new Error('it is damaged');
        await cache.load(file);
        const now = new Date();
        await utimes(file, now, now);
      } catch (cause) {
        cache.resync();
        if (closing.aborted) return;
        await rm(file, { force: true }).catch(() => {});
        onNotice(
          `The saved state ${file} can't be used, and its prompt is evaluated anew: ${reason(cause)}.`,
        );
      }
    },

    async save(ids, cache) {
      const { key, file } = fileOf(ids);
      const unfinished = path.join(folder, `${randomUUID()}${partial}`);
      try {
        if (await exists(file)) return;
        await makeFolder(folder);
        await cache.save(unfinished);
        await writeSeal(unfinished, { key, model: name, tokens: ids.length });
        if ((await stat(unfinished)).size > limit)
          throw new Error(`it is larger than all may be (${limit} bytes)`);
        await rename(unfinished, file);
        await tidy(folder, limit);
      } catch (cause) {
        if (closing.aborted) return;
        onNotice(`The state of the prompt can't be saved in ${folder}: ${reason(cause)}.`);
      } finally {
        await rm(unfinished, { force: true }).catch(() => {});
      }
    },
  };
}

/** The states in a folder, the one used last first; none where there is no such folder. */
export async function listStates(folder: string): Promise<SavedState[]> {
  const states: SavedState[] = [];
  for (const name of await filesIn(folder, ending)) {
    const file = path.join(folder, name);
    const seal = await readSeal(file).catch(() => undefined);
    const found = await stat(file).catch(() => undefined);
    if (!found) continue;
    const { model = 'unknown', tokens = 0 } = seal ?? {};
    states.push({ file, model, tokens, size: found.size, lastUsed: found.mtime });
  }
  return states.sort((left, right) => right.lastUsed.getTime() - left.lastUsed.getTime());
}

/** Deletes every state in a folder, and no other file. Returns those that it deleted. */
export async function clearStates(folder: string): Promise<SavedState[]> {
  const states = await listStates(folder);
  for (const { file } of states) await rm(file, { force: true });
  for (const name of await filesIn(folder, partial)) await rm(path.join(folder, name), { force: true });
  return states;
}

async function tidy(folder: string, limit: number): Promise<void> {
  let total = 0;
  for (const { file, size } of await listStates(folder)) {
    total += size;
    if (total > limit) await rm(file, { force: true });
  }
  for (const name of await filesIn(folder, partial)) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > partialAge) await rm(file, { force: true });
  }
}

async function filesIn(folder: string, end: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter(name => name.endsWith(end));
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
