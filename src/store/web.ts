/** One request for a file elsewhere. Redirects are followed here, so that no secret goes with them to another host. */
import { RawcallError } from '../../parsers/error.ts';

/** In milliseconds. */
export interface Timeouts {
  /** To the beginning of an answer. */
  readonly answer: number;
  /** Between two pieces of it. */
  readonly idle: number;
}

export interface WebRequest {
  readonly url: URL;
  readonly method: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent to the address's own origin alone. */
  readonly authorization?: string;
  /** Where the answer is a redirect with such a header, it is the answer. */
  readonly stopAt?: string;
  readonly timeouts: Timeouts;
  readonly signal?: AbortSignal;
}

export interface WebAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Whoever stops reading it closes the connection. */
  readonly body: AsyncGenerator<Uint8Array, void>;
}

export type WebFailure = 'unreachable' | 'silent' | 'cut' | 'redirects';

const mostRedirects = 10;

/** @throws RawcallError `download_failed`; the signal's reason */
export async function ask(request: WebRequest): Promise<WebAnswer> {
  const { authorization, method, stopAt } = request;
  let url = request.url;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const own = url.origin === request.url.origin;
    const headers = {
      // What is counted and hashed are the file's own bytes.
      'accept-encoding': 'identity',
      ...request.headers,
      ...(own && authorization !== undefined ? { authorization } : {}),
    };
    const answer = await send(url, { method, headers }, request);
    const location = answer.headers.get('location');
    const moved = answer.status >= 300 && answer.status < 400 && location !== null;
    if (!moved || (stopAt !== undefined && answer.headers.has(stopAt))) return answer;
    await answer.body.return();
    const next = new URL(location, url);
    if (!/^https?:$/.test(next.protocol) || (url.protocol === 'https:' && next.protocol === 'http:'))
      throw webFailed(url, 'redirects', `it leads to ${next.protocol}//, which is not followed`);
    url = next;
  }
  throw webFailed(request.url, 'redirects', `it leads on and on, ${mostRedirects} times`);
}

async function send(
  url: URL,
  init: { readonly method: string; readonly headers: Record<string, string> },
  { timeouts, signal }: WebRequest,
): Promise<WebAnswer> {
  const ending = new AbortController();
  const stop = () => ending.abort();
  signal?.throwIfAborted();
  signal?.addEventListener('abort', stop);
  let timer: NodeJS.Timeout | undefined;
  let silence: number | undefined;

  function wait(limit: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      silence = limit;
      ending.abort();
    }, limit);
  }

  function rest(): void {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }

  function failure(reason: WebFailure, cause: unknown): unknown {
    rest();
    if (signal?.aborted) return signal.reason;
    if (silence !== undefined) return webFailed(url, 'silent', `nothing came for ${silence / 1000} s`, cause);
    const why = causeOf(cause);
    return webFailed(
      url,
      reason,
      reason === 'cut'
        ? `the answer was cut off (${why})`
        : `it can't be reached (${why}). Look at the network; HF_ENDPOINT names a mirror of the hub, HTTPS_PROXY a proxy`,
      cause,
    );
  }

  wait(timeouts.answer);
  const response = await (await fetcher())(url, { ...init, redirect: 'manual', signal: ending.signal }).catch(
    cause => {
      throw failure('unreachable', cause);
    },
  );
  clearTimeout(timer);

  async function* read(): AsyncGenerator<Uint8Array, void> {
    const reader = response.body?.getReader();
    try {
      for (;;) {
        // Only what we wait for is silence: whoever reads may take its time.
        wait(timeouts.idle);
        const { done, value } = (await reader?.read()) ?? { done: true };
        clearTimeout(timer);
        if (done) return;
        yield value;
      }
    } catch (cause) {
      throw failure('cut', cause);
    } finally {
      rest();
      ending.abort();
    }
  }

  const body = read();
  // A generator that was never begun has no `finally`: what nobody reads is closed by hand.
  const unread = body.return.bind(body);
  body.return = value => {
    rest();
    ending.abort();
    return unread(value);
  };
  return { status: response.status, headers: response.headers, body };
}

/** Node's own does not go through the proxy that `HTTPS_PROXY` and the like name, as the tools of hubs do. */
async function fetcher(env: NodeJS.ProcessEnv = process.env): Promise<typeof fetch> {
  const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
  if (!proxies.some(name => env[name])) return fetch;
  const undici = await import('undici');
  throughProxy ??= new undici.EnvHttpProxyAgent();
  const dispatcher = throughProxy;
  return ((url: URL, init: RequestInit) =>
    undici.fetch(url, { ...(init as object), dispatcher })) as unknown as typeof fetch;
}

let throughProxy: import('undici').Dispatcher | undefined;

/** fetch wraps what happened, at times twice. */
function causeOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  if (inner instanceof AggregateError && inner.errors[0] instanceof Error) inner = inner.errors[0];
  const { code, message } = inner as NodeJS.ErrnoException;
  return code ?? message ?? String(inner);
}

export function webFailed(
  url: URL,
  reason: WebFailure | 'status',
  why: string,
  cause?: unknown,
  details: Record<string, unknown> = {},
): RawcallError {
  const address = shown(url);
  return new RawcallError(
    'download_failed',
    `${address}: ${why}.`,
    { url: address, reason, ...details },
    cause,
  );
}

/** Signed addresses have their secrets in the query. */
export function shown(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
