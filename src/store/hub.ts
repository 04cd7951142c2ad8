/** Hugging Face's hub, or a mirror of it, as its own tools reach it: the same variables, and the same folder for its token. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';

export interface Hub {
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly token?: string;
}

/** A file of a repository. */
export interface HubFile {
  readonly repository: string;
  readonly revision?: string;
  readonly file: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws RawcallError `download_refused` where `HF_ENDPOINT` is no address */
export async function openHub(env: Environment = process.env): Promise<Hub> {
  const endpoint = (env.HF_ENDPOINT || 'https://huggingface.co').replace(/\/+$/, '');
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw new RawcallError(
      'download_refused',
      `HF_ENDPOINT is ${JSON.stringify(endpoint)}, which is no address: give one that begins with https://, or unset it.`,
      { endpoint },
    );
  const token = (env.HF_TOKEN || env.HUGGING_FACE_HUB_TOKEN || (await storedToken(env)))?.trim();
  return { endpoint, ...(token ? { token } : {}) };
}

/** What `hf auth login` wrote. */
async function storedToken(env: Environment): Promise<string | undefined> {
  const file = env.HF_TOKEN_PATH || path.join(hubHome(env), 'token');
  return readFile(file, 'utf8').catch(() => undefined);
}

export function hubHome(env: Environment = process.env): string {
  if (env.HF_HOME) return env.HF_HOME;
  return path.join(env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'huggingface');
}

export function hubAddress({ endpoint }: Hub, { repository, revision = 'main', file }: HubFile): URL {
  const parts = file.split('/').map(encodeURIComponent).join('/');
  return new URL(`${endpoint}/${repository}/resolve/${encodeURIComponent(revision)}/${parts}`);
}

/** The digest of a large file; small ones are known by another kind of hash, which says nothing of their bytes. */
export function linkedDigest(etag: string | null): string | undefined {
  return /^(?:W\/)?"([0-9a-f]{64})"$/.exec(etag ?? '')?.[1];
}

/** Why the hub does not give a file, and what to do. */
export function hubRefusal(
  hub: Hub,
  { repository, revision = 'main', file }: HubFile,
  status: number,
  headers: Headers,
): RawcallError {
  const code = headers.get('x-error-code');
  const page = `${hub.endpoint}/${repository}`;
  const details = { repository, file, status, ...(code === null ? {} : { reason: code }) };
  return new RawcallError('download_refused', why(), details);

  function why(): string {
    if (code === 'GatedRepo' || (status === 403 && code === null))
      return hub.token === undefined
        ? `${repository} is given only to those who have agreed to its terms. Agree to them at ${page}, make a token that may read at ${hub.endpoint}/settings/tokens, and set HF_TOKEN to it.`
        : `The token in HF_TOKEN may not read ${repository}. Agree to its terms at ${page} with the account that the token is of, and see that the token may read gated repositories.`;
    if (status === 401 && hub.token === undefined)
      return `The hub has no repository ${repository}, or it is private. Check the name at ${page}; for a private one set HF_TOKEN to a token that may read it.`;
    if (status === 401)
      return `The hub does not know the token in HF_TOKEN. Make one at ${hub.endpoint}/settings/tokens.`;
    if (code === 'RevisionNotFound')
      return `${repository} has no revision ${revision}. They are listed at ${page}/commits/main.`;
    if (code === 'EntryNotFound')
      return `${repository} has no file ${file}. Its files are listed at ${page}/tree/main.`;
    if (status === 404)
      return `The hub has no repository ${repository}, or the token may not see it. Check the name at ${page}.`;
    return `The hub does not give ${file} of ${repository}: it answered ${status}. Look at ${page}.`;
  }
}
