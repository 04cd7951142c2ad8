/** Files of models that other programs have already downloaded, where each of them keeps its own. They are used where they lie. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Source } from '../catalog/source.ts';
import { hubHome } from './hub.ts';
import type { Wanted } from './pull.ts';
import { splitFiles } from './split.ts';

export const programs = ['Hugging Face', 'LM Studio', 'Ollama'] as const;

export interface Elsewhere {
  readonly program: (typeof programs)[number];
  /** Of a split model, of its first file. */
  readonly path: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A file is the one that is wanted where it is kept under the repository and the name that a source names, or under the digest
 * that the catalog has, and is as large as it should be.
 */
export async function findElsewhere(
  wanted: Pick<Wanted, 'sources' | 'size' | 'sha256'>,
  env: Environment = process.env,
): Promise<Elsewhere | undefined> {
  for (const source of wanted.sources) {
    if (source.kind !== 'hub') continue;
    for (const file of await inHubCache(source, env))
      if (await fits(file, wanted)) return { program: 'Hugging Face', path: file };
    for (const folder of await lmStudioFolders(env)) {
      const file = path.join(folder, source.repository, source.file);
      if (await fits(file, wanted)) return { program: 'LM Studio', path: file };
    }
  }
  if (wanted.sha256 === undefined) return undefined;
  for (const folder of ollamaFolders(env)) {
    const file = path.join(folder, 'blobs', `sha256-${wanted.sha256}`);
    if (await fits(file, wanted)) return { program: 'Ollama', path: file };
  }
  return undefined;
}

/** The newest snapshot first. A snapshot has a link to a file only once it is whole. */
async function inHubCache(
  { repository, revision, file }: Source & { kind: 'hub' },
  env: Environment,
): Promise<string[]> {
  const cache = env.HF_HUB_CACHE || env.HUGGINGFACE_HUB_CACHE || path.join(hubHome(env), 'hub');
  const folder = path.join(cache, `models--${repository.replaceAll('/', '--')}`);
  const named = await readFile(path.join(folder, 'refs', revision ?? 'main'), 'utf8').catch(() => revision);
  const all = await readdir(path.join(folder, 'snapshots')).catch(() => []);
  // Another revision may have other bytes under the same name.
  const snapshots =
    revision === undefined ? [...(named ? [named.trim()] : []), ...all] : [named?.trim() ?? ''];
  return [...new Set(snapshots)].filter(Boolean).map(one => path.join(folder, 'snapshots', one, file));
}

async function lmStudioFolders(env: Environment): Promise<string[]> {
  const home = env.HOME || homedir();
  const pointed = await readFile(path.join(home, '.lmstudio-home-pointer'), 'utf8').catch(() => '');
  const homes = [pointed.trim(), path.join(home, '.lmstudio'), path.join(home, '.cache', 'lm-studio')];
  return homes.filter(Boolean).map(folder => path.join(folder, 'models'));
}

function ollamaFolders(env: Environment): string[] {
  if (env.OLLAMA_MODELS) return [env.OLLAMA_MODELS];
  const home = env.HOME || homedir();
  // Where it runs as a service of Linux, it has a home of its own.
  return [path.join(home, '.ollama', 'models'), '/usr/share/ollama/.ollama/models'];
}

/** All of its files are there, and the only one has the size that is known. */
async function fits(file: string, { size }: Pick<Wanted, 'size'>): Promise<boolean> {
  const files = splitFiles(file);
  for (const one of files) {
    const found = await realpath(one)
      .then(stat)
      .catch(() => undefined);
    if (!found?.isFile() || found.size === 0) return false;
    if (size !== undefined && files.length === 1 && found.size !== size) return false;
  }
  return true;
}
