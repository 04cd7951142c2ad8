/**
 * JSON-RPC over HTTP, as one transport for the whole life of a connection: it finds out which of the two protocols the server
 * speaks, opens a new session where the server has forgotten the old one, and ends the session at the end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { trackAnswers } from './http-answers.ts';
import { maxMessageBytes } from './http-body.ts';
import { httpStatus, isGone } from './http-failure.ts';
import { openAgain } from './http-session.ts';

export interface HttpTransport extends Transport {
  /** Why it is over, for people, where it is not by `close`. */
  readonly ending: string | undefined;
  close(): Promise<void>;
}

export interface HttpTransportOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** `sse`: the older protocol alone. */
  readonly protocol: 'http' | 'sse' | undefined;
  /** Milliseconds for an event stream, and for a new session. */
  readonly startTimeout: number;
  readonly fetch: FetchLike;
  /** In words for people. */
  readonly reason: (error: unknown) => string;
  /** The server has begun a new session, and may offer other things in it. */
  readonly onNewSession: () => void;
}

type Inner = StreamableHTTPClientTransport | SSEClientTransport;

/** A stream that was cut is resumed for about a quarter of a minute. */
const reconnectionOptions = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 5,
};

/** Milliseconds that a server may take to end its session. */
const parting = 1000;

export function httpTransport(options: HttpTransportOptions): HttpTransport {
  const { url, headers, protocol, startTimeout, reason, onNewSession } = options;
  const answers = trackAnswers({
    fetch: options.fetch,
    maxRetries: reconnectionOptions.maxRetries,
    onLost: (id, why) => receive(lostAnswer(id, why)),
  });
  const opened: Inner[] = [];
  let inner: Inner | undefined;
  let handshake: JSONRPCMessage | undefined;
  let version: string | undefined;
  let renewing: Promise<StreamableHTTPClientTransport> | undefined;
  let ending: string | undefined;
  let closed = false;

  function receive(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) answers.over(message.id);
    transport.onmessage?.(message);
  }

  function current(): Inner {
    if (!inner) throw new Error('it was not opened yet');
    return inner;
  }

  function use<One extends Inner>(one: One): One {
    opened.push(one);
    one.onmessage = receive;
    return one;
  }

  async function openStreamable(): Promise<StreamableHTTPClientTransport> {
    const init = { requestInit: { headers: { ...headers } }, fetch: answers.fetch, reconnectionOptions };
    const one = use(new StreamableHTTPClientTransport(url, init));
    await one.start();
    return one;
  }

  /** Its stream carries all answers, so that its end is the end of the connection. */
  async function openSse(): Promise<SSEClientTransport> {
    // The SDK keeps no more of an error than its words.
    let cause: unknown;
    const fetch: FetchLike = (address, init) =>
      answers.oneStreamFetch(address, init).catch(error => {
        cause = error;
        throw error;
      });
    const init = { requestInit: { headers: { ...headers } }, fetch };
    const one = use(new SSEClientTransport(url, init));
    const timeout = new AbortController();
    try {
      await Promise.race([
        one.start(),
        sleep(startTimeout, undefined, { signal: timeout.signal }).then(() => {
          throw new Error(`its event stream was not opened within ${startTimeout / 1000} s`);
        }),
      ]);
    } catch (error) {
      await one.close();
      throw cause ?? error;
    } finally {
      timeout.abort();
    }
    one.onerror = error => end(`its event stream ended: ${reason(error)}`);
    return one;
  }

  /** A server that knows nothing of Streamable HTTP refuses the first message with one of these. */
  const unknownProtocol = [400, 404, 405];

  async function shakeHands(message: JSONRPCMessage): Promise<void> {
    handshake = message;
    const told = answers.sent(message);
    const used = current();
    try {
      await (isSse(used) ? used.send(message) : used.send(message, told));
    } catch (error) {
      if (isSse(used) || !unknownProtocol.includes(httpStatus(error) ?? 0)) throw error;
      // Where that is refused too, the first answer says more than the second.
      const older = await openSse().catch(() => undefined);
      if (!older) throw error;
      inner = older;
      await older.send(message);
    }
  }

  async function send(message: JSONRPCMessage): Promise<void> {
    try {
      if ('method' in message && message.method === 'initialize') await shakeHands(message);
      else await deliver(message);
    } catch (error) {
      if ('method' in message && 'id' in message) answers.over(message.id);
      if (closed) throw error;
      const why = reason(error);
      // Nobody is there: what else was asked is not answered either, and the next call opens a connection anew.
      if (isGone(error) || (isSse(current()) && httpStatus(error) === 404)) end(why);
      // Without the cause: the words of the server that it quotes may hold what it was sent.
      throw new Error(why);
    }
  }

  async function deliver(message: JSONRPCMessage): Promise<void> {
    const told = answers.sent(message);
    const used = current();
    if (isSse(used)) return used.send(message);
    try {
      await used.send(message, told);
    } catch (error) {
      if (!sessionLost(used, error)) throw error;
      await (await renewed(used)).send(message, told);
    }
  }

  /** Once for all the messages that the old session refuses. */
  function renewed(old: StreamableHTTPClientTransport): Promise<StreamableHTTPClientTransport> {
    const used = current();
    if (used !== old && !isSse(used)) return Promise.resolve(used);
    renewing ??= openAgain({ open: openStreamable, handshake: handshake!, version, startTimeout, receive })
      .then(fresh => {
        inner = fresh;
        onNewSession();
        return fresh;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  }

  function end(why: string): void {
    if (closed) return;
    ending = why;
    void close();
  }

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    if (inner && !isSse(inner) && ending === undefined) await part(inner);
    await Promise.all(opened.map(one => one.close()));
    transport.onclose?.();
  }

  const transport: HttpTransport = {
    async start() {
      inner = protocol === 'sse' ? await openSse() : await openStreamable();
    },
    send,
    close,
    setProtocolVersion(agreed) {
      version = agreed;
      current().setProtocolVersion(agreed);
    },
    get ending() {
      return ending;
    },
  };
  return transport;
}

/** A server that does not let its session be ended ends it by itself, some day. */
async function part(inner: StreamableHTTPClientTransport): Promise<void> {
  const ended = inner.terminateSession().catch(() => {});
  await Promise.race([ended, sleep(parting, undefined, { ref: false })]);
}

const isSse = (inner: Inner): inner is SSEClientTransport => inner instanceof SSEClientTransport;

/** 404 as the protocol has it, or the 400 of the many servers that were built after the SDK's own example. */
function sessionLost({ sessionId }: StreamableHTTPClientTransport, error: unknown): boolean {
  if (sessionId === undefined) return false;
  const status = httpStatus(error);
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message));
}

function lostAnswer(id: RequestId, why: 'cut' | 'too large'): JSONRPCMessage {
  const message =
    why === 'cut'
      ? 'The connection was cut before the answer came. There is no result.'
      : `The answer is larger than ${maxMessageBytes / 1024 / 1024} MB. There is no result.`;
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } };
}
