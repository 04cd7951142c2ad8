/**
 * A hub as Hugging Face's answers: large files are sent on from `/resolve/` to signed addresses of another host, and it can do all
 * that goes wrong on the way. Two servers, so that what is sent to the one and not to the other is seen.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export interface Fault {
  /** Only for these who have such a token. */
  gatedFor?: string;
  /** The connection is cut after so many bytes of an answer. */
  cutAfter?: number;
  /** How often it is. Default: always. */
  cuts?: number;
  /** Other bytes than those that the hub declares, of the same length. */
  wrongBytes?: boolean;
  /** What the content server says of the length, with a body that has the true one. */
  lengthSaid?: number;
  /** The body goes on beyond its end, without a length. */
  endless?: boolean;
  /** The body has no length, and ends so many bytes early. */
  endsEarly?: number;
  ignoresRanges?: boolean;
  /** Milliseconds between two pieces of 64 KiB. */
  slow?: number;
  /** Nothing is ever sent behind this many bytes. */
  silentAfter?: number;
  /** So often the server says that it is busy. */
  busy?: number;
  retryAfter?: number;
}

export interface Asked {
  readonly server: 'hub' | 'content';
  readonly method: string;
  readonly path: string;
  readonly range?: string;
  readonly authorization?: string;
}

export interface HubServer {
  readonly endpoint: string;
  readonly asked: readonly Asked[];
  /** Bytes that the content server has sent. */
  readonly sent: number;
  put(repository: string, file: string, bytes: Buffer, fault?: Fault): Fault;
  /** The address of a plain file, without a hub before it. */
  plain(file: string, bytes: Buffer, fault?: Fault): string;
}

interface Held {
  bytes: Buffer;
  fault: Fault;
}

export async function startHub(): Promise<HubServer> {
  const files = new Map<string, Held>();
  const asked: Asked[] = [];
  let sent = 0;
  const content = await listening((request, response) => void serve(request, response));
  const hub = await listening(resolve);

  function note(server: Asked['server'], request: IncomingMessage): URL {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { range, authorization } = request.headers;
    asked.push({
      server,
      method: request.method ?? '',
      path: url.pathname,
      ...(range === undefined ? {} : { range }),
      ...(authorization === undefined ? {} : { authorization }),
    });
    return url;
  }

  function resolve(request: IncomingMessage, response: ServerResponse): unknown {
    const url = note('hub', request);
    const [, repository = '', revision, file = ''] =
      /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const refuse = (status: number, code: string) => {
      response.writeHead(status, { 'x-error-code': code, 'x-error-message': 'no' }).end('no');
    };
    if (![...files.keys()].some(key => key.startsWith(`${repository}/`)))
      return refuse(token === undefined ? 401 : 404, 'RepoNotFound');
    if (revision !== 'main') return refuse(404, 'RevisionNotFound');
    const held = files.get(`${repository}/${file}`);
    if (!held) return refuse(404, 'EntryNotFound');
    const { bytes, fault } = held;
    if (fault.gatedFor !== undefined && fault.gatedFor !== token)
      return refuse(token === undefined ? 401 : 403, 'GatedRepo');
    const digest = createHash('sha256').update(bytes).digest('hex');
    return response
      .writeHead(302, {
        'x-repo-commit': 'b'.repeat(40),
        'x-linked-size': bytes.length,
        'x-linked-etag': `"${digest}"`,
        etag: '"of-the-redirect"',
        'accept-ranges': 'bytes',
        location: `${content}/${repository}/${file}?signature=${digest.slice(0, 8)}`,
      })
      .end();
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = note('content', request);
    const held = files.get(decodeURIComponent(url.pathname).slice(1));
    // As S3 does: one way to say who one is, and no more.
    if (request.headers.authorization !== undefined && url.searchParams.has('signature'))
      return response.writeHead(400).end('two ways to say who you are');
    if (!held) return response.writeHead(404).end('there is no such file');
    const { fault } = held;
    if ((fault.busy ?? 0) > 0) {
      fault.busy = (fault.busy ?? 0) - 1;
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter);
      return response.writeHead(503).end('busy');
    }
    const bytes: Buffer = fault.wrongBytes ? Buffer.from(held.bytes.map(byte => byte ^ 1)) : held.bytes;
    const from = fault.ignoresRanges ? undefined : /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
    const start = Number(from ?? 0);
    if (start >= bytes.length && from !== undefined)
      return response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    const end = bytes.length - (fault.endsEarly ?? 0);
    const length = fault.lengthSaid ?? bytes.length - start;
    const unmeasured = fault.endless || fault.endsEarly !== undefined;
    response.writeHead(from === undefined ? 200 : 206, {
      etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
      'accept-ranges': 'bytes',
      ...(unmeasured ? {} : { 'content-length': length }),
      ...(from === undefined
        ? {}
        : { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
    });
    if (request.method === 'HEAD') return response.end();
    return body(response, bytes.subarray(start, end), fault);
  }

  async function body(response: ServerResponse, bytes: Uint8Array, fault: Fault): Promise<void> {
    const piece = 64 * 1024;
    for (let at = 0; at < bytes.length || fault.endless; at += piece) {
      if (response.destroyed) return;
      const cuts = fault.cutAfter !== undefined && (fault.cuts ?? 1) > 0;
      const limit = cuts ? fault.cutAfter! : fault.silentAfter;
      const part = bytes.subarray(
        at % bytes.length,
        Math.min((at % bytes.length) + piece, limit ?? bytes.length),
      );
      sent += part.length;
      if (part.length > 0 && !response.write(part)) await drained(response);
      if (limit !== undefined && at + piece >= limit) {
        if (!cuts) return;
        if (fault.cuts !== undefined) fault.cuts -= 1;
        // What was written is to arrive.
        await sleep(50);
        response.destroy();
        return;
      }
      if (fault.slow !== undefined) await sleep(fault.slow);
    }
    response.end();
  }

  return {
    endpoint: hub,
    asked,
    get sent() {
      return sent;
    },
    put(repository, file, bytes, fault = {}) {
      files.set(`${repository}/${file}`, { bytes, fault });
      return fault;
    },
    plain(file, bytes, fault = {}) {
      files.set(file, { bytes, fault });
      return `${content}/${file}`;
    },
  };
}

async function drained(response: ServerResponse): Promise<void> {
  const either = new AbortController();
  const { signal } = either;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  either.abort();
}

async function listening(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  const server: Server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
