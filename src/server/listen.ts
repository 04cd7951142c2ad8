/** Opens the port. */
import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { RawcallError } from '../../parsers/error.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Takes no more requests and ends those that run. */
  close(): Promise<void>;
}

/**
 * Port 0 is any that is free.
 *
 * @throws RawcallError `port_unavailable`
 */
export async function listen(app: Hono, { host, port }: { host: string; port: number }): Promise<Listening> {
  const server = await new Promise<ServerType>((resolve, reject) => {
    const opened = serve({ fetch: app.fetch, hostname: host, port }, () => resolve(opened));
    opened.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new RawcallError('port_unavailable', `${host}:${port}: ${failure(cause)}`, { host, port }, cause),
      ),
    );
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    host,
    port: actual,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

function failure({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE')
    return 'another program listens there. Give another --port, or 0 for any that is free.';
  if (code === 'EACCES') return 'this port may not be opened. Give one above 1023.';
  if (code === 'EADDRNOTAVAIL') return 'this machine has no such address.';
  return message;
}
