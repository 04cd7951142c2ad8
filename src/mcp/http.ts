/** A connection to a server over HTTP, and what to tell when it cannot be had. */
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { RawcallError } from '../../parsers/error.ts';
import type { Connection, ConnectionEvents } from './connection.ts';
import { exactFetch } from './exact-arguments.ts';
import type { ServerInfo } from './features.ts';
import { headerProblem, readAddress, urlProblem } from './http-address.ts';
import { httpFailures } from './http-failure.ts';
import { httpTransport } from './http-transport.ts';
import type { HttpServer } from './servers.ts';
import { openSession } from './session.ts';

export interface HttpOptions {
  /** Milliseconds for the handshake and for each page of the list of tools. */
  readonly startTimeout: number;
  /** Sends the requests, with a login where there is one. Default: as they are. */
  readonly fetch?: FetchLike;
}

/** @throws RawcallError `mcp_server_failed` for an address or a header that cannot be used */
export function connectHttp(
  server: HttpServer,
  events: ConnectionEvents,
  { startTimeout, fetch: send = fetch }: HttpOptions,
): Connection {
  const { name } = server;
  checkHttpServer(server);
  const address = readAddress(server.url);
  const { reason } = httpFailures(server, address);
  const { authorization } = address;
  const transport = httpTransport({
    url: address.url,
    headers: { ...(authorization === undefined ? {} : { authorization }), ...server.headers },
    protocol: server.transport,
    startTimeout,
    fetch: exactFetch(send),
    reason,
    onNewSession: () => session.renew(),
  });
  const ending = () => transport.ending;
  const session = openSession({ name, transport, events, startTimeout, ending });

  async function open(): Promise<ServerInfo> {
    try {
      return await session.open();
    } catch (error) {
      const why = transport.ending ?? reason(error);
      await transport.close();
      // Without the cause: the words of the server that it quotes may hold what it was sent.
      throw new RawcallError('mcp_server_failed', why, { server: name });
    }
  }
  const { renew: _own, ...connection } = session;
  return { ...connection, open };
}

/** @throws RawcallError `mcp_server_failed` for an address or a header that cannot be used */
export function checkHttpServer({ name, url, headers }: HttpServer): void {
  const fail = (reason: string): never => {
    throw new RawcallError('mcp_server_failed', reason, { server: name });
  };
  const wrong = urlProblem(url);
  if (wrong) fail(`its "url" ${wrong}`);
  for (const [key, value] of Object.entries(headers)) {
    const unsent = headerProblem(key, value);
    if (unsent) fail(`its "headers.${key}" ${unsent}`);
  }
}
