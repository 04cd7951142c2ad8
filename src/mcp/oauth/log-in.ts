/** `rawcall mcp login`: a login that begins anew, whatever is kept of an earlier one. */
import { discoverOAuthServerInfo } from '@modelcontextprotocol/sdk/client/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import type { HttpServer } from '../servers.ts';
import { clientInfo } from '../session.ts';
import { authorizedFetch } from './authorized-fetch.ts';
import { type AuthorizerOptions, openAuthorizer } from './authorizer.ts';
import type { Authorize } from './by-person.ts';
import { failed } from './failures.ts';
import { loginRequests } from './login-requests.ts';

export interface LogInOptions extends Omit<AuthorizerOptions, 'fresh'> {
  readonly authorize: Authorize;
}

/** Milliseconds for a request that is no part of a login. */
const patience = 30_000;

/** @throws RawcallError `mcp_login_failed` */
export async function logIn(server: HttpServer, options: LogInOptions): Promise<void> {
  const { username, password } = new URL(server.url);
  if (username !== '' || password !== '')
    throw failed(server.name, 'its "url" has a name and a password, which are what is sent. Take them out');
  const header = Object.keys(server.headers).find(key => key.toLowerCase() === 'authorization');
  if (header !== undefined)
    throw failed(server.name, `its config has a header "${header}", which is what is sent. Take it out`);
  const authorizer = openAuthorizer(server, { ...options, fresh: true });
  const status = await knock(server, authorizedFetch(server, authorizer), options.signal);
  if ((await authorizer.token()) !== undefined) return;
  // There are servers that greet anyone, and ask for a login when a tool is called.
  if (!(await hasAuthorizationServer(server)))
    throw failed(server.name, `it does not ask for one (HTTP ${status})`);
  await authorizer.renew({ token: undefined, insufficient: false, again: false });
}

/** The first message of every client, which a server that wants a login refuses. */
async function knock(server: HttpServer, send: FetchLike, signal?: AbortSignal): Promise<number> {
  const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo };
  const init = {
    headers: {
      ...server.headers,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    // Headers of the config are for this server alone.
    redirect: 'manual',
    ...(signal ? { signal } : {}),
  } as const;
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const response = await send(server.url, { ...init, method: 'POST', body });
    await response.body?.cancel();
    const session = response.headers.get('mcp-session-id');
    if (session !== null) await leave(server, send, session);
    return response.status;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw failed(server.name, `${new URL(server.url).host} cannot be reached`);
  }
}

async function leave({ url, headers }: HttpServer, send: FetchLike, session: string): Promise<void> {
  const init = { method: 'DELETE', headers: { ...headers, 'mcp-session-id': session } };
  const response = await send(url, { ...init, signal: AbortSignal.timeout(patience) }).catch(() => undefined);
  await response?.body?.cancel();
}

async function hasAuthorizationServer({ name, url }: HttpServer): Promise<boolean> {
  const requests = loginRequests(name, AbortSignal.timeout(patience));
  const info = await discoverOAuthServerInfo(url, { fetchFn: requests.fetch }).catch(() => undefined);
  return info?.authorizationServerMetadata !== undefined;
}
