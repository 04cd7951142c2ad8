/** What there is to know of a file elsewhere before a byte of it is fetched. */
import { RawcallError } from '../../parsers/error.ts';
import { type Hub, type HubFile, hubAddress, hubRefusal, linkedDigest } from './hub.ts';
import { type Patience, patiently } from './patience.ts';
import { ask, shown, type WebAnswer, webFailed } from './web.ts';

export interface Remote {
  readonly url: URL;
  readonly authorization?: string;
  readonly size?: number;
  /** As whoever has the file declares it. */
  readonly sha256?: string;
  /** Where it is the same, the bytes are. Absent: nothing says so, and a part cannot be gone on with. */
  readonly identity?: string;
}

export interface Asking {
  readonly patience: Patience;
  readonly signal?: AbortSignal;
}

/** The hub names the digest and the size of a large file where it sends on to the place that has it. */
const linked = 'x-linked-etag';

/** @throws RawcallError `download_refused`, `download_failed`; the signal's reason */
export async function lookAtHub(hub: Hub, file: HubFile, asking: Asking): Promise<Remote> {
  const url = hubAddress(hub, file);
  const authorization = hub.token === undefined ? {} : { authorization: `Bearer ${hub.token}` };
  const { status, headers } = await head(url, { ...asking, ...authorization, stopAt: linked });
  if (status >= 400) throw hubRefusal(hub, file, status, headers);
  return { url, ...authorization, ...declared(headers) };
}

/** @throws as `lookAtHub` */
export async function lookAtAddress(address: string, asking: Asking): Promise<Remote> {
  const url = new URL(address);
  const { status, headers } = await head(url, asking);
  if (status >= 400) throw addressRefusal(url, status);
  return { url, ...declared(headers) };
}

function head(url: URL, { patience, signal, ...rest }: Asking & { authorization?: string; stopAt?: string }) {
  const request = { url, timeouts: patience.timeouts, ...(signal ? { signal } : {}), ...rest };
  return patiently(patience, signal, async (): Promise<WebAnswer> => {
    let answer = await ask({ ...request, method: 'HEAD' });
    // There are servers that only know GET.
    if (answer.status === 405 || answer.status === 501) answer = await ask({ ...request, method: 'GET' });
    await answer.body.return();
    refuseIfPassing(url, answer);
    return answer;
  });
}

const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/** @throws RawcallError `download_failed` for what is worth asking again */
export function refuseIfPassing(url: URL, { status, headers }: WebAnswer): void {
  if (!passing.has(status)) return;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  throw webFailed(url, 'status', `the server answered ${status}`, undefined, {
    status,
    ...(Number.isNaN(seconds) ? {} : { retryAfter: seconds }),
  });
}

export function addressRefusal(url: URL, status: number): RawcallError {
  const what =
    status === 404 || status === 410 ? 'there is no such file' : `the server does not give it (${status})`;
  return new RawcallError('download_refused', `${shown(url)}: ${what}. Look whether the address is right.`, {
    url: shown(url),
    status,
  });
}

function declared(headers: Headers): Omit<Remote, 'url'> {
  const etag = headers.get(linked);
  const sha256 = linkedDigest(etag);
  const size = headers.get('x-linked-size') ?? headers.get('content-length');
  // A weak ETag is of the same meaning, and not of the same bytes.
  const strong = headers.get('etag')?.startsWith('W/') ? null : headers.get('etag');
  const identity = etag ?? strong ?? headers.get('last-modified');
  return {
    ...(size !== null && /^\d+$/.test(size) ? { size: Number(size) } : {}),
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(identity === null ? {} : { identity }),
  };
}
