/** A file that is on this machine already into the store. */
import { constants, copyFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { checkFile } from '../engine/llama/model.ts';
import { diskError, makeStoreFolder, needRoom } from './disk.ts';
import { splitFiles } from './split.ts';
import type { Key, Store, StoredFile, StoredModel } from './store.ts';
import { digestOf } from './verify.ts';
import { keyOfFile, same } from './wanted.ts';

export interface Import {
  /** Of a split model, any of its files. */
  readonly file: string;
  /** Default: that of the file of the catalog that has the same digest, or else the file's own name. */
  readonly name?: Key;
  /** The file is moved, and not copied. */
  readonly move: boolean;
  readonly store: Store;
  readonly catalog: Catalog;
  readonly signal?: AbortSignal;
  readonly onProgress: (bytes: number, size: number) => void;
  readonly now?: () => Date;
}

/** @throws RawcallError `model_exists`, `other_model`, `disk_full`, `store_not_writable`, and those of `checkFile`; the signal's reason */
export async function importFile(options: Import): Promise<StoredModel> {
  const { file, name, move, store, catalog, signal, onProgress, now = () => new Date() } = options;
  const paths = splitFiles(path.resolve(file));
  for (const one of paths) await checkFile(one);
  const sizes = await Promise.all(paths.map(async one => (await stat(one)).size));
  const size = sizes.reduce((sum, one) => sum + one, 0);
  let read = 0;
  const files: StoredFile[] = [];
  for (const [at, one] of paths.entries()) {
    const sha256 = await digestOf(one, signal, bytes => {
      read += bytes;
      onProgress(read, size);
    });
    files.push({ path: one, size: sizes[at]!, sha256 });
  }
  const known = files.length === 1 ? keyOfDigest(files[0]!.sha256, catalog) : undefined;
  const key = name ?? known ?? keyOfFile(file);
  refuseOther(file, key, files, catalog);
  const there = await store.find(key);
  if (there) {
    if (there.files.every(({ sha256 }, at) => sha256 === files[at]?.sha256)) return there;
    throw new RawcallError(
      'model_exists',
      `The store has another file as ${key.name}:${key.quantisation} already. Give a name: --name NAME:QUANTISATION`,
      { ...key },
    );
  }

  const place = store.place(key, files.length);
  await makeStoreFolder(place.folder);
  const taken: StoredFile[] = [];
  for (const [at, one] of files.entries()) {
    const target = place.files[at]!;
    await (move ? moveFile : copyWhole)(one.path, target).catch(async error => {
      // A folder with nothing in it is no trace worth leaving.
      await rmdir(place.folder).catch(() => {});
      throw diskError(target, error);
    });
    taken.push({ ...one, path: target });
  }
  const model: StoredModel = {
    ...key,
    source: `path:${paths[0]}`,
    voucher: known ? 'catalog' : 'nobody',
    files: taken as [StoredFile, ...StoredFile[]],
    added: now(),
  };
  await store.keep(model);
  return model;
}

/** A name of the catalog is for the catalog's files: whoever asks for it later is to get what it promises. */
function refuseOther(file: string, key: Key, files: readonly StoredFile[], { models }: Catalog): void {
  const model = models.find(({ name }) => name === key.name);
  if (!model) return;
  const { name, quantisation } = key;
  const meant = model.files.find(one => same(one.quantisation, quantisation));
  const sha256 = files.length === 1 ? files[0]?.sha256 : undefined;
  // Of some files the catalog has no digest: such an import is told to be vouched for by nobody.
  if (meant && (meant.sha256 === undefined || meant.sha256 === sha256)) return;
  const why = meant
    ? `the catalog has another SHA-256 for it (${meant.sha256?.slice(0, 12)}…, and here it is ${sha256 === undefined ? 'a split model' : `${sha256.slice(0, 12)}…`})`
    : `the catalog has ${model.files.map(one => one.quantisation).join(', ')} of it`;
  throw new RawcallError(
    'other_model',
    `${file} is not ${name}:${quantisation}: ${why}. Give it a name of its own: --name NAME:QUANTISATION`,
    { ...key, file },
  );
}

function keyOfDigest(sha256: string, { models }: Catalog): Key | undefined {
  for (const { name, files } of models) {
    const file = files.find(one => one.sha256 === sha256);
    if (file) return { name, quantisation: file.quantisation };
  }
  return undefined;
}

async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    // Another disk.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyWhole(from, to);
    await rm(from);
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  await needRoom(path.dirname(to), (await stat(from)).size);
  const part = `${to}.part`;
  try {
    // Where the file system can, without a byte of it being written twice.
    await copyFile(from, part, constants.COPYFILE_FICLONE);
    await rename(part, to);
  } finally {
    await rm(part, { force: true });
  }
}
