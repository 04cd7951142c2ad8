/** A person logs in: an address is opened in a browser, and the browser comes back to this machine with a code. */
import { RawcallError } from '../../../parsers/error.ts';
import type { HttpServer } from '../servers.ts';
import { type CallbackAnswer, openCallback } from './callback.ts';
import { failed } from './failures.ts';
import { type FlowOptions, loginFlow } from './flow.ts';
import { checkedAddress } from './login-requests.ts';
import type { LoginProvider } from './provider.ts';
import type { Login } from './stored-login.ts';

/** Brings a person to the address; where it rejects, the login has failed. */
export type Authorize = (request: AuthorizationRequest) => void | Promise<void>;

export interface AuthorizationRequest {
  readonly server: string;
  /** https, or a page of this machine. It comes from strangers: show it, and open it only where the user says so. */
  readonly address: string;
  /** Aborted when an answer has come, or none is waited for any more. */
  readonly signal: AbortSignal;
}

export interface PersonOptions
  extends Pick<FlowOptions, 'server' | 'login' | 'scope' | 'resourceMetadata' | 'onLogin' | 'signal'> {
  readonly authorize: Authorize;
  /** Milliseconds that the person may take. */
  readonly limit: number;
}

/** Gives the scopes that were asked for. */
export async function byPerson(options: PersonOptions): Promise<string | undefined> {
  const { server, login, signal, authorize, limit } = options;
  const callback = await openCallback({ server: server.name, ...portOf(server, login) });
  const done = new AbortController();
  try {
    let address: URL | undefined;
    const flow = loginFlow({
      ...options,
      callback,
      refresh: false,
      onAddress(given) {
        address = checkedAddress(server.name, given);
      },
    });
    await flow.run();
    if (!address) throw failed(server.name, 'there is no address to log in at');

    const over = AbortSignal.any([AbortSignal.timeout(limit), ...(signal ? [signal] : [])]);
    const request = {
      server: server.name,
      address: address.href,
      signal: AbortSignal.any([over, done.signal]),
    };
    const answer = await Promise.race([callback.answer(over), unlessItFails(authorize, request)]);
    await finish(answer, server, flow);
    return address.searchParams.get('scope') ?? undefined;
  } finally {
    done.abort();
    await callback.close();
  }
}

async function finish(
  answer: CallbackAnswer,
  { name }: HttpServer,
  { provider, run }: { provider: LoginProvider; run: (code: string) => Promise<void> },
): Promise<void> {
  try {
    checkIssuer(name, answer, provider);
    await run(answer.code);
    answer.tell('Logged in', `rawcall is logged in to ${name}. You can close this page.`);
  } catch (error) {
    const why = RawcallError.isInstance(error) ? error.message : 'rawcall says why.';
    answer.tell('Not logged in', `${why} You can close this page.`);
    throw error;
  }
}

/** The code of one authorization server must not be sent to another that made the user log in there (RFC 9207). */
function checkIssuer(server: string, { issuer }: CallbackAnswer, { discovered }: LoginProvider): void {
  const metadata = discovered?.authorizationServerMetadata as
    | { issuer?: string; authorization_response_iss_parameter_supported?: boolean }
    | undefined;
  const wanted = metadata?.authorization_response_iss_parameter_supported === true;
  if (issuer === undefined && !wanted) return;
  if (issuer !== metadata?.issuer)
    throw failed(server, 'the answer does not come from the authorization server that was asked');
}

function portOf({ auth }: HttpServer, login: Login | undefined): { port?: number; fixed?: boolean } {
  if (auth?.callbackPort !== undefined) return { port: auth.callbackPort, fixed: true };
  const [registered] = login?.client?.redirect_uris ?? [];
  return registered === undefined ? {} : { port: Number(new URL(registered).port) };
}

/** Never settles well: the answer comes from the browser. */
async function unlessItFails(authorize: Authorize, request: AuthorizationRequest): Promise<never> {
  await authorize(request);
  return new Promise(() => {});
}
