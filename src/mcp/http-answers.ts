/**
 * Which requests still wait for their answers, and over which event stream each is to come. The SDK leaves a request waiting where
 * its stream ended without an answer; here it is told as lost, so that a call fails at once and not at its timeout.
 */
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isFields } from '../../templates/check.ts';
import { bounded } from './http-body.ts';

export interface Answers {
  /** For Streamable HTTP, where each request has a stream of its own. */
  readonly fetch: FetchLike;
  /** For the older protocol, where one stream carries all answers. */
  readonly oneStreamFetch: FetchLike;
  /** A message goes out; gives what the SDK is to be told with it. */
  sent(message: JSONRPCMessage): { readonly onresumptiontoken?: (token: string) => void };
  /** The request is over: it was answered, or could not be sent. */
  over(id: RequestId): void;
}

export interface AnswersOptions {
  readonly fetch: FetchLike;
  /** How often the SDK tries to resume a stream. */
  readonly maxRetries: number;
  readonly onLost: (id: RequestId, why: 'cut' | 'too large') => void;
}

interface Stream {
  readonly id: RequestId;
  /** Of its last event: where the stream can be resumed from. */
  lastEvent?: string;
  /** Attempts to resume it that failed, one after another. */
  failed: number;
}

/** Milliseconds that the last event of a stream that has ended may take through the SDK. */
const onItsWay = 200;

const settledKept = 50;

export function trackAnswers({ fetch, maxRetries, onLost }: AnswersOptions): Answers {
  const waiting = new Map<RequestId, Stream>();
  // Those that owe nothing any more: the last ones, for the SDK may come back to them.
  const settled: Stream[] = [];

  function lost({ id }: Stream, why: 'cut' | 'too large'): void {
    if (!waiting.has(id)) return;
    settle(id);
    onLost(id, why);
  }

  function ended(stream: Stream): void {
    if (stream.lastEvent === undefined) setTimeout(() => lost(stream, 'cut'), onItsWay).unref();
  }

  function watched(response: Response, stream: Stream | undefined): Response {
    if (!response.body || !response.ok) return response;
    const events = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '');
    const body = bounded(response.body, {
      events,
      onEnd: () => stream && events && ended(stream),
      onTooLarge: () => stream && lost(stream, 'too large'),
    });
    const { status, statusText, headers } = response;
    const copy = new Response(body, { status, statusText, headers });
    // The SDK asks it where a redirect led to.
    Object.defineProperty(copy, 'url', { value: response.url });
    return copy;
  }

  async function post(url: string | URL, init: RequestInit): Promise<Response> {
    const stream = waiting.get(requestIdOf(init.body) ?? '');
    const response = await fetch(url, init);
    // To a request this is no answer, and none will come.
    if (stream && (response.status === 202 || response.status === 204)) ended(stream);
    return watched(response, stream);
  }

  async function resume(url: string | URL, init: RequestInit | undefined, event: string): Promise<Response> {
    const stream = [...waiting.values(), ...settled].find(({ lastEvent }) => lastEvent === event);
    // The SDK would go on for ever for an answer that was an error, and for a call that was given up. It takes 405 for an end.
    if (stream && !waiting.has(stream.id)) return new Response(null, { status: 405 });
    try {
      const response = await fetch(url, init);
      if (stream && response.status === 405) lost(stream, 'cut');
      if (stream && response.ok) stream.failed = 0;
      else failedOnce(stream);
      return watched(response, stream);
    } catch (error) {
      failedOnce(stream);
      throw error;
    }
  }

  function failedOnce(stream: Stream | undefined): void {
    if (stream && ++stream.failed >= maxRetries) lost(stream, 'cut');
  }

  function settle(id: RequestId): void {
    const stream = waiting.get(id);
    waiting.delete(id);
    if (stream) settled.push(stream);
    if (settled.length > settledKept) settled.shift();
  }

  const oneStreamFetch: FetchLike = async (url, init) => watched(await fetch(url, init), undefined);

  return {
    fetch(url, init) {
      if (init?.method === 'POST') return post(url, init);
      const event = new Headers(init?.headers).get('last-event-id');
      return event === null ? oneStreamFetch(url, init) : resume(url, init, event);
    },
    oneStreamFetch,
    sent(message) {
      if (!('method' in message)) return {};
      if ('id' in message) {
        const stream: Stream = { id: message.id, failed: 0 };
        waiting.set(message.id, stream);
        return {
          onresumptiontoken: token => {
            stream.lastEvent = token;
          },
        };
      }
      const { requestId } = message.params ?? {};
      if (message.method === 'notifications/cancelled' && isId(requestId)) settle(requestId);
      return {};
    },
    over: settle,
  };
}

function requestIdOf(body: unknown): RequestId | undefined {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  return isFields(message) && typeof message.method === 'string' && isId(message.id) ? message.id : undefined;
}

const isId = (value: unknown): value is RequestId => typeof value === 'number' || typeof value === 'string';
