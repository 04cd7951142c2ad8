/** `rawcall mcp logout`: the tokens are revoked where the authorization server does that (RFC 7009), and deleted in any case. */
import {
  discoverAuthorizationServerMetadata,
  selectClientAuthMethod,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthMetadata } from '@modelcontextprotocol/sdk/shared/auth.js';
import { RawcallError } from '../../../parsers/error.ts';
import type { HttpServer } from '../servers.ts';
import { configuredClient, signature } from './client.ts';
import { type LoginRequests, loginRequests } from './login-requests.ts';
import type { LoginStore } from './login-store.ts';
import type { Login } from './stored-login.ts';

export interface LoggedOut {
  /** False where there was no login. */
  readonly removed: boolean;
  /** Why the tokens may be good still, for people. */
  readonly notRevoked?: string;
}

/** Milliseconds for all of it. */
const patience = 30_000;

export async function logOut(server: HttpServer, logins: LoginStore): Promise<LoggedOut> {
  let notRevoked: string | undefined;
  try {
    const login = await logins.read(server);
    if (login) notRevoked = await revoke(server, login);
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    // What cannot be read can be deleted.
    notRevoked = error.message;
  }
  const removed = await logins.remove(server);
  return { removed, ...(notRevoked === undefined ? {} : { notRevoked }) };
}

/** Gives the reason where it did not work. */
async function revoke(server: HttpServer, login: Login): Promise<string | undefined> {
  const requests = loginRequests(server.name, AbortSignal.timeout(patience));
  const { access_token, refresh_token } = login.tokens;
  try {
    const metadata = await discoverAuthorizationServerMetadata(login.authorizationServer, {
      fetchFn: requests.fetch,
    });
    const endpoint = metadata && 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
    if (typeof endpoint !== 'string') return 'its authorization server revokes no tokens';
    // The one that renews first: with it gone the other does not last.
    for (const token of [refresh_token, access_token]) {
      if (token === undefined) continue;
      const hint = token === refresh_token ? 'refresh_token' : 'access_token';
      const form = new URLSearchParams({ token, token_type_hint: hint });
      await post(requests, endpoint, form, { server, login, metadata: metadata as OAuthMetadata });
    }
    return undefined;
  } catch (error) {
    if (RawcallError.isInstance(error)) return error.message;
    return requests.refusal ?? "the answers of its authorization server are not in OAuth's form";
  }
}

interface Client {
  readonly server: HttpServer;
  readonly login: Login;
  readonly metadata: OAuthMetadata;
}

async function post(
  requests: LoginRequests,
  endpoint: string,
  form: URLSearchParams,
  { server, login, metadata }: Client,
): Promise<void> {
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  const client = configuredClient(server, login.tokens.issuer) ?? login.client;
  const sign = signature(server);
  if (sign) await sign(headers, form, endpoint, metadata);
  else if (client) {
    const { client_id, client_secret } = client;
    const methods =
      metadata.revocation_endpoint_auth_methods_supported ??
      metadata.token_endpoint_auth_methods_supported ??
      [];
    const basic = selectClientAuthMethod(client, methods) === 'client_secret_basic';
    if (basic) headers.set('authorization', `Basic ${btoa(`${client_id}:${client_secret ?? ''}`)}`);
    else {
      form.set('client_id', client_id);
      if (client_secret !== undefined) form.set('client_secret', client_secret);
    }
  }
  const response = await requests.fetch(endpoint, { method: 'POST', headers, body: form });
  await response.body?.cancel();
  if (!response.ok) throw new Error('refused');
}
