/** A connection over HTTP whose requests carry the login that is kept for the server. */
import type { Connection, ConnectionEvents } from '../connection.ts';
import { checkHttpServer, connectHttp } from '../http.ts';
import type { HttpServer } from '../servers.ts';
import { authorizedFetch } from './authorized-fetch.ts';
import { openAuthorizer } from './authorizer.ts';
import type { Authorize } from './by-person.ts';
import type { LoginStore } from './login-store.ts';
import { systemLogins } from './system-logins.ts';

export interface AuthorizedOptions {
  readonly startTimeout: number;
  readonly authorize?: Authorize;
  readonly logins?: LoginStore;
}

export function openAuthorized(
  server: HttpServer,
  events: ConnectionEvents,
  { startTimeout, authorize, logins = systemLogins() }: AuthorizedOptions,
): Connection {
  checkHttpServer(server);
  const stop = new AbortController();
  const { signal } = stop;
  const authorizer = openAuthorizer(server, { logins, signal, ...(authorize ? { authorize } : {}) });
  const connection = connectHttp(server, events, {
    startTimeout,
    fetch: authorizedFetch(server, authorizer),
  });
  return {
    ...connection,
    close() {
      // A page that waits for a login would keep the process alive.
      stop.abort();
      return connection.close();
    },
  };
}
