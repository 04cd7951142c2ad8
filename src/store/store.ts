/**
 * The folder of models that all of a user's programs share. A model is there when its record is, which is written last; what else lies
 * beside it are parts of what is still to come.
 *
 *   NAME/NAME-QUANTISATION.gguf     (of several: NAME-QUANTISATION-00001-of-00003.gguf, as llama.cpp finds the others)
 *   NAME/NAME-QUANTISATION.json     the record
 */
import { readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { RawcallError } from '../../parsers/error.ts';
import { dataFolder } from '../user-folders.ts';
import { diskError, ifThere, makeStoreFolder } from './disk.ts';

/** Who said what the SHA-256 should be: the catalog; the hub, when it was pulled; or nobody, so that it was counted then and holds since. */
export const vouchers = ['catalog', 'hub', 'nobody'] as const;
export type Voucher = (typeof vouchers)[number];

export interface StoredFile {
  /** In full. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

export interface StoredModel {
  readonly name: string;
  readonly quantisation: string;
  /** Where it came from, as a catalog writes it. */
  readonly source: string;
  readonly voucher: Voucher;
  /** Of a split model, the first is the one that is opened. */
  readonly files: readonly [StoredFile, ...StoredFile[]];
  readonly added: Date;
}

export interface Key {
  readonly name: string;
  readonly quantisation: string;
}

/** What is there and may not be read is thrown, as `store_not_readable`. */
export interface Store {
  readonly folder: string;
  /** By name. */
  list(): Promise<readonly StoredModel[]>;
  find(key: Key): Promise<StoredModel | undefined>;
  /** Where the files of such a model are to lie. */
  place(key: Key, count?: number): Place;
  keep(model: StoredModel): Promise<void>;
  /** Takes all of it away, parts that were begun too. Gives the bytes that are free now. */
  remove(key: Key): Promise<number>;
}

export interface Place {
  readonly folder: string;
  readonly files: readonly string[];
  readonly record: string;
  /** Where another process sees that this one is at it. */
  readonly lock: string;
}

const record = z.object({
  version: z.literal(1),
  name: z.string(),
  quantisation: z.string(),
  source: z.string(),
  voucher: z.enum(vouchers),
  files: z.array(z.object({ file: z.string(), size: z.number(), sha256: z.string() })).min(1),
  added: z.coerce.date(),
});

/** `RAWCALL_STORE`, or a folder among the user's data. */
export function storeFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env.RAWCALL_STORE ? path.resolve(env.RAWCALL_STORE) : path.join(dataFolder(env), 'models');
}

const modelName = /^[a-z0-9][a-z0-9.-]*$/;

export function openStore(folder: string = storeFolder()): Store {
  function place({ name, quantisation }: Key, count = 1): Place {
    const inner = path.join(folder, name);
    const stem = path.join(inner, `${name}-${quantisation}`);
    return {
      folder: inner,
      files: Array.from({ length: count }, (_, index) => `${stem}${splitEnding(index + 1, count)}.gguf`),
      record: `${stem}.json`,
      lock: `${stem}.lock`,
    };
  }

  const store: Store = {
    folder,
    place,
    async list() {
      const names = (await ifThere(folder, readdir(folder))) ?? [];
      const models: StoredModel[] = [];
      // A disk of its own has folders that are nobody's model, and that nobody may read.
      for (const name of names.filter(one => modelName.test(one)).sort()) {
        const inner = path.join(folder, name);
        const files = (await ifThere(inner, readdir(inner))) ?? [];
        for (const file of files.filter(one => one.endsWith('.json')).sort()) {
          const model = await readRecord(path.join(inner, file));
          if (model) models.push(model);
        }
      }
      return models;
    },
    find: key => readRecord(place(key).record),
    async keep({ name, quantisation, source, voucher, files, added }) {
      const { folder: inner, record: file } = place({ name, quantisation });
      const listed = files.map(({ path: full, size, sha256 }) => ({
        file: path.basename(full),
        size,
        sha256,
      }));
      const text = JSON.stringify(
        { version: 1, name, quantisation, source, voucher, files: listed, added },
        null,
        2,
      );
      await makeStoreFolder(inner);
      try {
        await writeFile(`${file}.new`, `${text}\n`);
        await rename(`${file}.new`, file);
      } catch (error) {
        throw diskError(file, error);
      }
    },
    async remove(key) {
      const { folder: inner, record: file, lock } = place(key);
      const stem = path.basename(file, '.json');
      const names = (await ifThere(inner, readdir(inner))) ?? [];
      // The record first: what is left of a removal that was broken off is no model.
      const own = [path.basename(file), ...names.filter(name => belongsTo(name, stem))];
      let freed = 0;
      for (const name of new Set(own)) {
        const full = path.join(inner, name);
        if (full === lock) continue;
        freed += await stat(full).then(
          ({ size }) => size,
          () => 0,
        );
        await rm(full, { force: true, recursive: true }).catch(error => {
          throw diskError(full, error);
        });
      }
      await rmdir(inner).catch(() => {});
      return freed;
    },
  };
  return store;
}

/** As llama.cpp names the parts of a split model. */
export function splitEnding(number: number, count: number): string {
  const digits = (value: number) => String(value).padStart(5, '0');
  return count === 1 ? '' : `-${digits(number)}-of-${digits(count)}`;
}

/** `Q4_K` is not `Q4_K_M`. */
export function belongsTo(name: string, stem: string): boolean {
  return name.startsWith(stem) && /^(-\d{5}-of-\d{5})?\.(gguf|json|wheels)/.test(name.slice(stem.length));
}

/**
 * A record that makes no sense, or whose files are gone, is no model: it is pulled anew.
 *
 * @throws RawcallError `store_not_readable`
 */
async function readRecord(file: string): Promise<StoredModel | undefined> {
  const text = await ifThere(file, readFile(file, 'utf8'));
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { success, data } = record.safeParse(value);
  if (!success) return undefined;
  const [first, ...others] = data.files.map(({ file: name, ...rest }) => ({
    path: path.join(path.dirname(file), path.basename(name)),
    ...rest,
  }));
  if (!first) return undefined;
  for (const { path: full, size } of [first, ...others]) {
    const found = await ifThere(full, stat(full));
    if (found?.size !== size) return undefined;
  }
  const { version: _, ...about } = data;
  return { ...about, files: [first, ...others] };
}

/** `text` is what it was asked for by. */
export function notStored(text: string, { folder }: Store): RawcallError {
  return new RawcallError(
    'model_not_stored',
    `${text} is not in ${folder}. Pull it with: rawcall models pull ${text}`,
    { model: text, folder },
  );
}
