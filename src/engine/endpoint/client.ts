/** Requests to a pool of endpoints that serve one model: tried again as long as nothing of an answer has come. */
import { RawcallError } from '../../../parsers/error.ts';
import { type Address, addressOf } from './address.ts';
import { eventData } from './event-data.ts';
import { endpointFailed, type FailureDetails, retryAfterOf, tooLong, wordsOf } from './failure.ts';
import { createPool, type Lease, type PoolOptions } from './pool.ts';
import { type Reply, send, type Timeouts } from './send.ts';

export interface ClientOptions extends PoolOptions {
  /** Where they are, with or without `/v1`. All of them serve the same model. */
  readonly urls: readonly string[];
  /** Sent as a bearer token. It is in no message. */
  readonly key?: string;
  readonly timeouts?: Partial<Timeouts>;
  /** How often a request is sent again that got no answer. Default 5. */
  readonly retries?: number;
}

export interface RequestOptions {
  readonly lane?: string;
  readonly signal?: AbortSignal;
}

/** A route of OpenAI's API (`v1`), or of the server's own. */
export type Route = `v1/${string}` | `/${string}`;
export type JsonRecord = Readonly<Record<string, unknown>>;

export interface Client {
  /** The first endpoint, for messages. */
  readonly url: string;
  /** GET, or POST where there is a body. */
  json(route: Route, body?: unknown, options?: RequestOptions): Promise<unknown>;
  /** The events of a streamed answer, up to `[DONE]` or its end. */
  stream(route: Route, body: unknown, options?: RequestOptions): AsyncGenerator<JsonRecord, void>;
  failed(message: string, details: Omit<FailureDetails, 'endpoint'>): RawcallError;
}

const defaultTimeouts: Timeouts = { connect: 10_000, firstByte: 600_000, idle: 120_000 };
/** Who is to come again later than this is told so instead. */
const longestWait = 60_000;
/** Of an error's body: it is only shown. */
const mostBytes = 64 * 1024;
const passing = new Set([429, 502, 503, 504]);

/** @throws RawcallError `bad_endpoint` */
export function createClient(options: ClientOptions): Client {
  const { urls, key, retries = 5, now = Date.now } = options;
  const addresses = urls.map(addressOf);
  const first = addresses[0];
  if (!first) throw new RawcallError('bad_endpoint', 'There is no endpoint: give the address of one.');
  const pool = createPool(addresses, options);
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  /** A server may repeat what it was sent. */
  const hide = (text: string) => (key ? text.replaceAll(key, '…') : text);

  async function open(
    route: Route,
    body: unknown,
    { lane, signal }: RequestOptions,
  ): Promise<{ reply: Reply; lease: Lease }> {
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted();
      const lease = await pool.lease({
        ...(lane === undefined ? {} : { lane }),
        ...(signal ? { signal } : {}),
      });
      try {
        const reply = await send({
          url: urlOf(lease.address, route),
          endpoint: lease.address.url,
          timeouts,
          ...(body === undefined ? {} : { body }),
          ...(key === undefined ? {} : { key }),
          ...(signal ? { signal } : {}),
        });
        if (reply.status >= 200 && reply.status < 300) {
          lease.well();
          return { reply, lease };
        }
        throw await refusal(reply, lease.address);
      } catch (error) {
        lease.leave();
        const details = passes(error);
        if (!details) throw error;
        lease.rest(details.retryAfter);
        if (tries >= retries + pool.size || (details.retryAfter ?? 0) > longestWait) throw error;
      }
    }
  }

  async function refusal(reply: Reply, { url }: Address): Promise<RawcallError> {
    const { status, headers } = reply;
    const text = hide(await bodyText(reply, mostBytes));
    const words = wordsOf(text);
    const long = status < 500 ? tooLong(text, url) : undefined;
    if (long) return long;
    const retryAfter = retryAfterOf(headers['retry-after'], now());
    return endpointFailed(`it answered ${status}${words === '' ? '' : `: ${words}`}${hint(status, key)}`, {
      endpoint: url,
      reason: 'status',
      status,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  }

  return {
    url: first.url,
    failed: (message, details) => endpointFailed(hide(message), { endpoint: first.url, ...details }),

    async json(route, body, options = {}) {
      const { reply, lease } = await open(route, body, options);
      try {
        const text = await bodyText(reply);
        return jsonOf(text, lease.address);
      } finally {
        lease.leave();
      }
    },

    async *stream(route, body, options = {}) {
      const { reply, lease } = await open(route, body, options);
      const { url } = lease.address;
      try {
        const type = reply.headers['content-type'] ?? 'nothing that it names';
        if (!type.startsWith('text/event-stream'))
          throw endpointFailed(`it answered with ${type} and not with a stream of events`, {
            endpoint: url,
            reason: 'garbage',
          });
        for await (const data of eventData(reply.body)) {
          if (data === '[DONE]') return;
          const event = jsonOf(data, lease.address);
          if (typeof event !== 'object' || event === null) throw garbage(data, url);
          if ('error' in event && event.error)
            throw tooLong(data, url) ?? brokenOff(hide(wordsOf(data)), event.error, url);
          yield event as JsonRecord;
        }
      } catch (error) {
        if (error instanceof RangeError)
          throw endpointFailed(`it sent ${error.message}`, { endpoint: url, reason: 'garbage' });
        throw error;
      } finally {
        await reply.body.return();
        lease.leave();
      }
    },
  };

  function jsonOf(text: string, { url }: Address): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw garbage(text, url);
    }
  }

  function garbage(text: string, endpoint: string): RawcallError {
    const shown = JSON.stringify(hide(text.slice(0, 80)).toWellFormed());
    return endpointFailed(`it answered with what is no JSON object: ${shown}`, {
      endpoint,
      reason: 'garbage',
    });
  }
}

function brokenOff(words: string, error: unknown, endpoint: string): RawcallError {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : Number.NaN;
  return endpointFailed(`it broke its answer off: ${words}`, {
    endpoint,
    reason: 'status',
    ...(Number.isInteger(code) ? { status: code } : {}),
  });
}

function passes(error: unknown): FailureDetails | undefined {
  if (!RawcallError.isInstance(error) || error.code !== 'endpoint_failed') return undefined;
  const details = error.details as unknown as FailureDetails;
  const { reason, status = 0 } = details;
  const again = reason === 'unreachable' || reason === 'connect_timeout' || passing.has(status);
  return again ? details : undefined;
}

function hint(status: number, key: string | undefined): string {
  if (status === 401 || status === 403)
    return key === undefined ? '. It wants a key: --endpoint-key or RAWCALL_ENDPOINT_KEY' : '. Check the key';
  return status === 404 ? '. Check the address and the name of the model' : '';
}

function urlOf({ api, root }: Address, route: Route): string {
  return route.startsWith('/') ? `${root}${route}` : `${api}${route.slice('v1'.length)}`;
}

async function bodyText({ body }: Reply, most = Number.POSITIVE_INFINITY): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
