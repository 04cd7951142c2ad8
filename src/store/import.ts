/** A file that is on this machine already into the store. */
import { constants, copyFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { checkFile } from '../engine/llama/model.ts';
import { diskError, makeStoreFolder, needRoom } from './disk.ts';
import { splitFiles } from './split.ts';
import type { Key, Store, StoredFile, StoredModel } from './store.ts';
import { digestOf } from './verify.ts';
import { keyOfFile } from './wanted.ts';

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

/** @throws RawcallError `model_exists`, `disk_full`, `store_not_writable`, and those of `checkFile`; the signal's reason */
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
    await (move ? moveFile : copyWhole)(one.path, target).catch(error => {
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
