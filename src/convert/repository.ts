/** The files of a hub's repository that a conversion reads, into a folder. A later try goes on with what has come. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';
import { diskError, needRoom } from '../store/disk.ts';
import { download } from '../store/download.ts';
import type { Hub } from '../store/hub.ts';
import { type Asking, lookAtHub, type Remote } from '../store/remote.ts';

export interface Repository extends Asking {
  readonly hub: Hub;
  readonly repository: string;
  readonly revision?: string;
  readonly folder: string;
  /** `size`: where the hub tells it. */
  readonly onProgress: (file: string, received: number, size: number | undefined) => void;
}

/** What there may be beside the weights; which of them a model has is its makers' choice. */
const besides = [
  ...['generation_config.json', 'tokenizer_config.json', 'tokenizer.json', 'tokenizer.model'],
  ...['special_tokens_map.json', 'added_tokens.json', 'vocab.json', 'merges.txt', 'chat_template.jinja'],
];
const single = 'model.safetensors';
const index = 'model.safetensors.index.json';

/** @throws RawcallError `no_safetensors`, `download_refused`, `download_failed`, `download_damaged`, `disk_full`; the signal's reason */
export async function fetchRepository(options: Repository): Promise<void> {
  const { folder, repository } = options;
  await mkdir(folder, { recursive: true }).catch(cause => {
    throw diskError(folder, cause);
  });
  await fetchFile('config.json', options);
  for (const file of besides) await fetchWhereThere(file, options);
  if (await fetchWhereThere(single, options)) return;
  if (!(await fetchWhereThere(index, options)))
    throw new RawcallError(
      'no_safetensors',
      `${repository} has neither ${single} nor ${index}. Only models in safetensors can be converted; where it has GGUF files, pull one: rawcall models pull hf:${repository}:FILE`,
      { repository },
    );
  for (const file of await shards(path.join(folder, index))) await fetchFile(file, options);
}

async function shards(file: string): Promise<string[]> {
  const { weight_map: map } = JSON.parse(await readFile(file, 'utf8')) as {
    weight_map?: Record<string, unknown>;
  };
  const names = [...new Set(Object.values(map ?? {}))];
  // They become paths here, and come from somebody else.
  const bad = names.find(name => typeof name !== 'string' || !/^[\w.-]+\.safetensors$/.test(name));
  if (bad === undefined && names.length > 0) return names as string[];
  throw new RawcallError('no_safetensors', `${file} names no files of weights that can be fetched.`, {
    file,
  });
}

async function fetchWhereThere(file: string, options: Repository): Promise<boolean> {
  try {
    await fetchFile(file, options);
    return true;
  } catch (error) {
    if (RawcallError.isInstance(error) && error.details.reason === 'EntryNotFound') return false;
    throw error;
  }
}

async function fetchFile(file: string, options: Repository): Promise<void> {
  const { hub, repository, revision, folder, onProgress, ...asking } = options;
  const place = path.join(folder, file);
  if (existsSync(place)) return;
  const where = { repository, file, ...(revision === undefined ? {} : { revision }) };
  const remote = await lookAtHub(hub, where, asking);
  if (remote.size !== undefined) await needRoom(folder, remote.size);
  const part = `${place}.part`;
  const came = await download({
    ...asking,
    remote,
    part,
    onProgress: bytes => onProgress(file, bytes, remote.size),
  });
  refuseDamaged(where.file, came, remote);
  await rename(part, place);
}

function refuseDamaged(
  file: string,
  came: { readonly size: number; readonly sha256: string },
  { size, sha256 }: Remote,
): void {
  if ((size ?? came.size) === came.size && (sha256 ?? came.sha256) === came.sha256) return;
  throw new RawcallError(
    'download_damaged',
    `${file} came with another size or SHA-256 than its hub declares. Delete it and try again.`,
    { file, ...came },
  );
}
