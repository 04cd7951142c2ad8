/** The requests of a login: encrypted, in limited time, and the last refusal kept, which the SDK partly swallows. */
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { hide } from '../hidden.ts';
import { failed, strangersWords } from './failures.ts';

export interface LoginRequests {
  readonly fetch: FetchLike;
  /** Of the last request, why it was refused or got no answer. */
  readonly refusal: string | undefined;
}

export function loginRequests(server: string, signal: AbortSignal): LoginRequests {
  let refusal: string | undefined;
  return {
    async fetch(address, init) {
      const url = checkedAddress(server, address);
      refusal = undefined;
      let response: Response;
      try {
        response = await fetch(url, { redirect: 'manual', ...init, signal });
      } catch (error) {
        refusal = signal.aborted ? `${url.host} gave no answer in time` : `${url.host} cannot be reached`;
        throw error;
      }
      if (!response.ok && init?.method === 'POST')
        refusal = `${url.host} says: ${hide(await words(response), { secrets: secretsOf(init) })}`;
      return response;
    },
    get refusal() {
      return refusal;
    },
  };
}

/** A password, a code or a token must not go over the network in the clear; on this machine it may. */
export function checkedAddress(server: string, address: string | URL): URL {
  const url = new URL(address);
  const local = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && local)) return url;
  throw failed(server, `${url.protocol}//${url.host} is not encrypted, and a login goes over https alone`);
}

/** What was sent may come back in an error. */
function secretsOf({ body, headers }: RequestInit): string[] {
  const names = ['code', 'code_verifier', 'refresh_token', 'token', 'client_secret', 'client_assertion'];
  const sent = body instanceof URLSearchParams ? names.map(name => body.get(name)) : [];
  const basic = new Headers(headers).get('authorization')?.replace(/^Basic /, '');
  const secret =
    basic &&
    Buffer.from(basic, 'base64')
      .toString()
      .replace(/^[^:]*:/, '');
  return [...sent, basic, secret].filter(one => typeof one === 'string');
}

async function words(response: Response): Promise<string> {
  const text = await response.clone().text();
  try {
    const { error, error_description: description } = JSON.parse(text);
    if (typeof error === 'string')
      return strangersWords(typeof description === 'string' ? `${error}: ${description}` : error);
  } catch {
    // A page for people, most likely.
  }
  return `HTTP ${response.status}`;
}
