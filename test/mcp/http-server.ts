/** An HTTP server of a test's own, which may do what a library would not: each request is answered as the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpServer } from '../../src/mcp/servers.ts';

export interface Exchange {
  readonly method: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Of a POST, as it came. */
  readonly body: string;
  /** The message in it. */
  readonly message: { readonly id?: number | string; readonly method?: string; readonly params?: Params };
}

interface Params {
  readonly name?: string;
  readonly cursor?: string;
}

export interface Listening extends AsyncDisposable {
  readonly origin: string;
  readonly server: HttpServer;
  /** `POST initialize`, `GET`, `DELETE`, in the order in which they came. */
  readonly seen: readonly string[];
}

export async function listening(answer: (exchange: Exchange) => unknown): Promise<Listening> {
  const seen: string[] = [];
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '' } = request;
    const body = Buffer.concat(chunks).toString();
    const message = method === 'POST' ? JSON.parse(body || '{}') : {};
    seen.push(message.method === undefined ? method : `${method} ${message.method}`);
    await answer({ method, request, response, body, message });
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    origin,
    server: { name: 'web', url: `${origin}/mcp`, headers: {} },
    seen,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise(resolve => http.close(resolve));
    },
  };
}

export const result = (text: string) => ({ content: [{ type: 'text', text }] });

/** What a server of one tool, `work`, answers. */
export function usual({ method, params }: Exchange['message']): unknown {
  if (method === 'initialize')
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'fixture', version: '1' },
    };
  if (method === 'tools/list') return { tools: [{ name: 'work', inputSchema: { type: 'object' } }] };
  return result(`${params?.name} done`);
}

export function json({ response, message }: Exchange, value: unknown, headers = {}, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...(value as object) }));
}

/** The usual answers: JSON to requests, 202 to notices, no stream of the server's own. */
export function serve(exchange: Exchange, headers = {}): void {
  const { method, message, response } = exchange;
  if (method !== 'POST') response.writeHead(method === 'GET' ? 405 : 200).end();
  else if (message.id === undefined) response.writeHead(202).end();
  else json(exchange, { result: usual(message) }, headers);
}

export function event(message: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${message === undefined ? '' : JSON.stringify(message)}\n\n`;
}
