/**
 * One request over HTTP. `fetch` gives up on an answer that takes five minutes to begin, which a long prompt may, and
 * can't say whether it was the connection or the answer that did not come.
 */
import http from 'node:http';
import https from 'node:https';
import { endpointFailed, type FailureReason } from './failure.ts';

/** In milliseconds. */
export interface Timeouts {
  readonly connect: number;
  /** From the request to the answer's first byte: a prompt is evaluated meanwhile. */
  readonly firstByte: number;
  /** Between two bytes of an answer. */
  readonly idle: number;
}

export interface Sending {
  readonly url: string;
  /** The endpoint, for messages. */
  readonly endpoint: string;
  /** Absent: GET. */
  readonly body?: unknown;
  readonly key?: string;
  readonly timeouts: Timeouts;
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Whoever stops reading it closes the request. */
  readonly body: AsyncGenerator<Buffer, void>;
}

/** A llama-server has a thread for each connection that is open, idle ones too, and few of them: one is left open. */
const agents = {
  http: new http.Agent({ keepAlive: true, maxFreeSockets: 1 }),
  https: new https.Agent({ keepAlive: true, maxFreeSockets: 1 }),
};

/** @throws RawcallError `endpoint_failed`, and the signal's reason */
export function send(sending: Sending): Promise<Reply> {
  const { url, endpoint, body, key, timeouts, signal } = sending;
  return new Promise((resolve, reject) => {
    let silence: FailureReason | undefined;
    let timer: NodeJS.Timeout | undefined;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const secure = url.startsWith('https:');
    const request = (secure ? https : http).request(url, {
      agent: secure ? agents.https : agents.http,
      method: text === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'text/event-stream, application/json',
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(signal ? { signal } : {}),
    });

    function wait(reason: 'connect_timeout' | 'first_byte_timeout' | 'idle_timeout', limit: number): void {
      clearTimeout(timer);
      timer = setTimeout(() => {
        silence = reason;
        request.destroy(new Error(reason));
      }, limit);
    }

    function failure(error: unknown, otherwise: FailureReason): unknown {
      clearTimeout(timer);
      if (signal?.aborted) return signal.reason;
      const reason = silence ?? otherwise;
      return endpointFailed(said(reason, error, timeouts), { endpoint, reason }, error);
    }

    async function* read(response: http.IncomingMessage): AsyncGenerator<Buffer, void> {
      const chunks = response[Symbol.asyncIterator]();
      let begun = false;
      try {
        for (;;) {
          // Only what we wait for is silence: a reader may take its time.
          if (begun) wait('idle_timeout', timeouts.idle);
          else wait('first_byte_timeout', timeouts.firstByte);
          const { done, value } = await chunks.next();
          clearTimeout(timer);
          if (done) return;
          begun = true;
          yield value as Buffer;
        }
      } catch (error) {
        throw failure(error, 'cut');
      } finally {
        clearTimeout(timer);
        request.destroy();
      }
    }

    wait('connect_timeout', timeouts.connect);
    request.on('socket', socket => {
      const connected = () => wait('first_byte_timeout', timeouts.firstByte);
      if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', connected);
      else connected();
    });
    request.on('response', response => {
      clearTimeout(timer);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read(response) });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed a connection that stood idle at the moment when it was taken again.
      if (request.reusedSocket && error.code === 'ECONNRESET' && !signal?.aborted) {
        clearTimeout(timer);
        resolve(send(sending));
      } else reject(failure(error, 'unreachable'));
    });
    request.end(text);
  });
}

function said(reason: FailureReason, error: unknown, { connect, firstByte, idle }: Timeouts): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const seconds = (limit: number) => `${limit / 1000} s`;
  if (reason === 'connect_timeout') return `no connection within ${seconds(connect)}`;
  if (reason === 'first_byte_timeout') return `no answer within ${seconds(firstByte)}`;
  if (reason === 'idle_timeout') return `the answer fell silent for ${seconds(idle)}`;
  if (reason === 'cut') return `the answer was cut off (${code ?? message})`;
  return code === 'ECONNREFUSED'
    ? 'nothing listens there (ECONNREFUSED)'
    : `it can't be reached (${code ?? message})`;
}
