/** A server on a free port that answers as a test says, and keeps what it was asked. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads just what it then checks.
  readonly body: any;
}

export interface ScriptedServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Those to one route. */
  of(path: string): readonly Asked[];
  /** How many answers were closed by the client before they were whole. */
  readonly left: number;
}

export type Answer = (response: ServerResponse, asked: Asked) => unknown;

/** `answers` by path; of several for one path each is given once, the last one again and again. */
export async function scriptedServer(
  answers: Readonly<Record<string, Answer | readonly Answer[]>>,
  port = 0,
): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  let left = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const path = request.url ?? '';
    const one: Asked = { path, headers: request.headers, body: body === '' ? undefined : JSON.parse(body) };
    const before = asked.filter(other => other.path === path).length;
    asked.push(one);
    response.on('close', () => {
      if (!response.writableEnded) left++;
    });
    const given = [answers[path] ?? status(404)].flat();
    await given[Math.min(before, given.length - 1)]?.(response, one);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    of: path => asked.filter(one => one.path === path),
    get left() {
      return left;
    },
  };
}

export function json(value: unknown): Answer {
  return response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export function status(code: number, body: unknown = { error: { message: 'no' } }, headers = {}): Answer {
  return response =>
    response.writeHead(code, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Events, and then what `end` does: by default `[DONE]`. */
export function events(
  values: readonly unknown[],
  end: Answer = response => response.end('data: [DONE]\n\n'),
): Answer {
  return (response, asked) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': alive\n\n');
    for (const value of values) response.write(`data: ${JSON.stringify(value)}\n\n`);
    return end(response, asked);
  };
}

export const models = (owner = 'somebody', more: object = {}) =>
  json({ object: 'list', data: [{ id: 'the-model', object: 'model', owned_by: owner, ...more }] });

/** A completion in chunks. */
export function completion(texts: readonly string[], end?: Answer): Answer {
  const chunk = (text: string, finish: string | null = null) => ({
    choices: [{ index: 0, text, finish_reason: finish }],
  });
  const usage = { prompt_tokens: 20, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 16 } };
  return events([...texts.map(text => chunk(text)), chunk('', 'stop'), { choices: [], usage }], end);
}
