/**
 * A `fetch` that carries a server's token and gets another where it is refused. The SDK's transports could do it themselves, but
 * not when several requests are refused at once, nor for several processes, and they renew a token whose rights do not suffice.
 */
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { HttpServer } from '../servers.ts';
import type { Authorizer, Challenge } from './authorizer.ts';
import { strangersWords } from './failures.ts';

/** For one request: a token is renewed, a person logs in, and rights are added. */
const maxRenewals = 3;

/** Where the config has an `Authorization` header of its own, that is what is sent. */
export function authorizedFetch({ url }: HttpServer, authorizer: Authorizer): FetchLike {
  const { origin } = new URL(url);

  return async (address, init) => {
    const given = new Headers(init?.headers);
    if (new URL(address).origin !== origin || given.has('authorization')) return fetch(address, init);
    for (let renewals = 0; ; renewals++) {
      const token = await authorizer.token();
      const headers = new Headers(given);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      const response = await fetch(address, { ...init, headers });
      const challenge = challengeOf(response, token, renewals > 0);
      if (!challenge || renewals === maxRenewals) return response;
      await response.body?.cancel();
      await authorizer.renew(challenge);
    }
  };
}

/** Nothing where the response is no demand for another token. */
function challengeOf(response: Response, token: string | undefined, again: boolean): Challenge | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(response);
  const insufficient = error === 'insufficient_scope';
  if (response.status === 403 && !insufficient) return undefined;
  return {
    token,
    insufficient: response.status === 403,
    again,
    ...(scope === undefined ? {} : { scope: strangersWords(scope) }),
    ...(resourceMetadataUrl ? { resourceMetadata: resourceMetadataUrl } : {}),
  };
}
