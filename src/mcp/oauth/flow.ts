/** One run of the SDK's flow, whose failure is told in our words. */
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { RawcallError } from '../../../parsers/error.ts';
import { failed, strangersWords } from './failures.ts';
import { type LoginRequests, loginRequests } from './login-requests.ts';
import { type LoginProvider, loginProvider, type ProviderOptions } from './provider.ts';

/** Milliseconds for all requests of one step. */
const patience = 45_000;

export interface FlowOptions extends Omit<ProviderOptions, 'onRefused' | 'onAddress'> {
  /** Where the server says what it belongs to. */
  readonly resourceMetadata?: URL;
  readonly signal?: AbortSignal;
  /** Default: an error. `why` is set where there was something to try before. */
  readonly onAddress?: (address: URL, why: string | undefined) => void;
  /** What to throw where the client or the tokens are refused. Default: that the login failed. */
  readonly onRefused?: (why: string, what: 'client' | 'tokens') => Promise<RawcallError>;
}

export interface Flow {
  readonly provider: LoginProvider;
  /** With a code: the second half. */
  run(code?: string): Promise<void>;
}

export function loginFlow(options: FlowOptions): Flow {
  const { server, scope, resourceMetadata, signal, onAddress, onRefused } = options;
  let requests: LoginRequests | undefined;

  const provider = loginProvider({
    ...options,
    onAddress: address => onAddress?.(address, requests?.refusal),
    async onRefused(what) {
      const why = requests?.refusal ?? 'what was sent is not accepted';
      throw (await onRefused?.(why, what)) ?? failed(server.name, why);
    },
  });

  async function run(code?: string): Promise<void> {
    const limits = [AbortSignal.timeout(patience), ...(signal ? [signal] : [])];
    requests = loginRequests(server.name, AbortSignal.any(limits));
    try {
      await auth(provider, {
        serverUrl: server.url,
        fetchFn: requests.fetch,
        ...(scope === undefined ? {} : { scope }),
        ...(resourceMetadata ? { resourceMetadataUrl: resourceMetadata } : {}),
        ...(code === undefined ? {} : { authorizationCode: code }),
      });
    } catch (error) {
      if (RawcallError.isInstance(error)) throw error;
      throw failed(server.name, requests.refusal ?? knownReason(error));
    }
  }

  return { provider, run };
}

/** The SDK's own words, where they are known to quote nothing of an answer; else that there is something wrong with it. */
function knownReason(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/does not support dynamic client registration/.test(message))
    return 'its authorization server registers no clients. Register one there by hand, and give its clientId in "auth" of the config';
  if (/bound to authorization server/.test(message))
    return 'its authorization server is not the one that the client of its config belongs to';
  if (/^(Incompatible auth server|Protected resource|HTTP \d+ trying)/.test(message))
    return strangersWords(message);
  return "the answers of its authorization server are not in OAuth's form";
}
