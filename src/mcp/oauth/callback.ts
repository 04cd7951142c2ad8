/**
 * Where the browser comes back to after a login: a page on this machine alone, for one answer. The `state` is the proof that the
 * answer belongs to this login; whoever comes without it is told so and changes nothing, so that no stranger's page can end a login.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RawcallError } from '../../../parsers/error.ts';
import { pageHeaders, pageOf } from './callback-page.ts';
import { failed, strangersWords } from './failures.ts';

export interface Callback {
  readonly address: string;
  readonly state: string;
  /** @throws RawcallError `mcp_login_failed` where the user said no, or nobody came in time */
  answer(signal: AbortSignal): Promise<CallbackAnswer>;
  close(): Promise<void>;
}

export interface CallbackAnswer {
  readonly code: string;
  /** Who sent the answer, where the authorization server says so (RFC 9207). */
  readonly issuer?: string;
  /** The page that the browser waits for: how it went. Without it, it is that it failed. */
  tell(title: string, text: string): void;
}

export interface CallbackOptions {
  /** For the page and for messages. */
  readonly server: string;
  /** Tried first. */
  readonly port?: number;
  /** No other port will do: the authorization server knows this one. */
  readonly fixed?: boolean;
}

const pathname = '/callback';

/** @throws RawcallError `mcp_login_failed` where a fixed port is taken */
export async function openCallback({ server, port = 0, fixed = false }: CallbackOptions): Promise<Callback> {
  const state = randomBytes(32).toString('base64url');
  let resolve: (answer: CallbackAnswer) => void = () => {};
  let reject: (error: RawcallError) => void = () => {};
  const answered = new Promise<CallbackAnswer>((...settle) => {
    [resolve, reject] = settle;
  });
  // Who closes without having asked for the answer does not want it.
  answered.catch(() => {});
  let open = true;
  let strays = 0;
  let waiting: ServerResponse | undefined;

  function respond(response: ServerResponse, status: number, title: string, text: string): void {
    response.writeHead(status, pageHeaders).end(pageOf(title, text));
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const [path, query = ''] = (request.url ?? '').split('?', 2);
    const given = new URLSearchParams(query);
    if (request.method !== 'GET' || path !== pathname)
      respond(response, 404, 'Nothing here', 'rawcall waits for a login, at another address.');
    else if (!open || !equal(one(given, 'state'), state)) {
      strays++;
      const text = 'This is not the login that rawcall waits for. Begin at the address that rawcall shows.';
      respond(response, 400, 'Not this login', text);
    } else {
      open = false;
      take(given, response);
    }
  }

  function take(given: URLSearchParams, response: ServerResponse): void {
    const code = one(given, 'code');
    if (code === undefined || given.has('error')) {
      const why = refusal(one(given, 'error'), one(given, 'error_description'));
      const text = `The login to ${server} was refused: ${why}. You can close this page.`;
      respond(response, 200, 'Not logged in', text);
      reject(failed(server, why));
      return;
    }
    waiting = response;
    const issuer = one(given, 'iss');
    resolve({
      code,
      ...(issuer === undefined ? {} : { issuer }),
      tell(title, text) {
        waiting = undefined;
        respond(response, 200, title, text);
      },
    });
  }

  const listener = createServer(handle);
  const bound = await listen(listener, port).catch(error => {
    if (fixed) throw failed(server, `the port ${port} of its "callbackPort" cannot be had (${error.code})`);
    return listen(listener, 0);
  });

  async function answer(signal: AbortSignal): Promise<CallbackAnswer> {
    const over = () => {
      const came = strays === 0 ? '' : `; ${strays} came that did not belong to this login`;
      const timedOut = signal.reason?.name === 'TimeoutError';
      reject(failed(server, timedOut ? `no answer came in time${came}` : 'it was given up'));
    };
    if (signal.aborted) over();
    signal.addEventListener('abort', over, { once: true });
    return answered.finally(() => signal.removeEventListener('abort', over));
  }

  return {
    address: `http://127.0.0.1:${bound}${pathname}`,
    state,
    answer,
    async close() {
      open = false;
      if (waiting) respond(waiting, 200, 'Not logged in', `The login to ${server} failed: rawcall says why.`);
      const closed = new Promise(resolve => listener.close(resolve));
      // The page is on its way; who holds a connection open for nothing is not waited for.
      const timer = setTimeout(() => listener.closeAllConnections(), 1000);
      await closed.finally(() => clearTimeout(timer));
    },
  };
}

/** A parameter that stands there twice says nothing. */
function one(given: URLSearchParams, name: string): string | undefined {
  const all = given.getAll(name);
  return all.length === 1 ? all[0] : undefined;
}

function listen(listener: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, '127.0.0.1', () => {
      listener.off('error', reject);
      resolve((listener.address() as AddressInfo).port);
    });
  });
}

function equal(given: string | undefined, wanted: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function refusal(error: string | undefined, description: string | undefined): string {
  if (error === undefined) return 'the answer has no code';
  return strangersWords(description === undefined ? error : `${error}: ${description}`);
}
