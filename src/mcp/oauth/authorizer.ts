/**
 * The login of one server: its token for each request, and another one where that is refused. What there is to try, in order: what
 * another process has got meanwhile, the token that renews others, and a person, where there is a way to ask one.
 */
import type { HttpServer } from '../servers.ts';
import { type Authorize, byPerson } from './by-person.ts';
import { configuredClient } from './client.ts';
import { failed, loginNeeded } from './failures.ts';
import { loginFlow } from './flow.ts';
import type { LoginStore } from './login-store.ts';
import type { Login } from './stored-login.ts';

/** A request was refused, and what the server said of why. */
export interface Challenge {
  /** The token that it was made with. */
  readonly token: string | undefined;
  /** The token is good, and its rights do not suffice. */
  readonly insufficient: boolean;
  /** The same request was refused before, with another token. */
  readonly again: boolean;
  readonly scope?: string;
  readonly resourceMetadata?: URL;
}

export interface Authorizer {
  token(): Promise<string | undefined>;
  /** @throws RawcallError `mcp_login_needed`, `mcp_login_failed`, `bad_stored_login` */
  renew(challenge: Challenge): Promise<void>;
}

export interface AuthorizerOptions {
  readonly logins: LoginStore;
  /** Absent: where a person would have to log in, the request fails and says so. */
  readonly authorize?: Authorize;
  /** Milliseconds that a person may take. Default 5 min. */
  readonly loginTimeout?: number;
  /** Scopes to ask for, instead of those of the config or of the server. */
  readonly scope?: string;
  /** What is kept of an earlier login is not used. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
}

export function openAuthorizer(server: HttpServer, options: AuthorizerOptions): Authorizer {
  const { logins, authorize, loginTimeout = 300_000, fresh = false, signal } = options;
  const byMachine = server.auth?.grant === 'client_credentials';
  const configuredScope = options.scope ?? server.auth?.scope;
  let login: Login | undefined;
  /** There is nothing in the store that is not known here. */
  let read = byMachine || fresh;
  /** The scopes that a new login was asked for here. */
  let asked: string | undefined;
  /** The token that a new login gave. */
  let newest: string | undefined;

  async function token(): Promise<string | undefined> {
    if (!read) login = await logins.read(server);
    read = true;
    return login?.tokens.access_token;
  }

  async function renewed(challenge: Challenge): Promise<void> {
    if (byMachine) return askMachine(challenge);
    if (!fresh) login = await logins.read(server);
    if (login && login.tokens.access_token !== challenge.token) return;
    if (!challenge.insufficient && !challenge.again && (await refreshed(challenge))) return;
    await askPerson(challenge);
  }

  async function askMachine(challenge: Challenge): Promise<void> {
    if (login && login.tokens.access_token !== challenge.token) return;
    if (server.auth?.clientId === undefined)
      throw failed(server.name, 'client_credentials need a "clientId" in "auth" of its config');
    const { insufficient, again } = challenge;
    if (again && !insufficient) throw failed(server.name, refusedNewest);
    const scope = wantedScope(challenge);
    checkNew(challenge, scope);
    await loginFlow({
      server,
      login: undefined,
      scope,
      refresh: false,
      onLogin: remember,
      ...stopping(),
    }).run();
    asked = scope;
  }

  async function refreshed(challenge: Challenge): Promise<boolean> {
    if (login?.tokens.refresh_token === undefined) return false;
    return logins.alone(server, async () => {
      // Who held the lock before may have renewed it.
      login = await logins.read(server);
      if (login && login.tokens.access_token !== challenge.token) return true;
      if (login?.tokens.refresh_token === undefined) return false;
      // Of another client, which the config had then: none is registered behind the user's back.
      if (!configuredClient(server, undefined) && !login.client) return false;
      const { scope } = login.tokens;
      let good = true;
      await loginFlow({
        server,
        login,
        scope,
        refresh: true,
        onLogin: keep,
        onAddress(_address, why) {
          throw failed(server.name, `its token could not be renewed: ${why ?? 'the answer is none'}`);
        },
        async onRefused(why, what) {
          if (what === 'client' && server.auth?.clientId !== undefined) return failed(server.name, why);
          await logins.remove(server);
          login = undefined;
          good = false;
          return loginNeeded(server.name, `Its login is no longer good (${why})`);
        },
        ...stopping(),
      })
        .run()
        .catch(error => {
          // A person can be asked.
          if (good || !authorize) throw error;
        });
      return good;
    });
  }

  async function askPerson(challenge: Challenge): Promise<void> {
    const { insufficient, again, resourceMetadata } = challenge;
    const scope = wantedScope(challenge);
    checkNew(challenge, scope);
    if (again && !insufficient && challenge.token === newest) throw failed(server.name, refusedNewest);
    if (!authorize) throw loginNeeded(server.name, whyNeeded(challenge), insufficient ? scope : undefined);
    asked = await byPerson({
      server,
      login,
      scope,
      authorize,
      limit: loginTimeout,
      onLogin: keep,
      ...(resourceMetadata ? { resourceMetadata } : {}),
      ...stopping(),
    });
    newest = login?.tokens.access_token;
  }

  /** To ask once more for the same rights would go round for ever. */
  function checkNew({ insufficient, scope = '' }: Challenge, wanted: string | undefined): void {
    if (insufficient && asked !== undefined && covers(asked, wanted ?? ''))
      throw failed(server.name, `it wants the rights ${scope}, which were asked for already`);
  }

  /** What a login has already stays in what a new one asks for. */
  function wantedScope({ insufficient, scope }: Challenge): string | undefined {
    if (!insufficient) return configuredScope ?? scope;
    return union(asked ?? login?.tokens.scope, scope);
  }

  async function remember(made: Login): Promise<void> {
    login = made;
  }

  async function keep(made: Login): Promise<void> {
    login = made;
    await logins.write(server, made);
  }

  const stopping = () => (signal ? { signal } : {});

  // Requests that were refused at the same time wait for one and the same renewal; others wait their turn.
  let last: { readonly key: string; readonly done: Promise<void> } | undefined;
  async function renew(challenge: Challenge): Promise<void> {
    const key = JSON.stringify([challenge.token, challenge.insufficient, challenge.scope]);
    while (last && last.key !== key) await last.done.catch(() => {});
    last ??= {
      key,
      done: renewed(challenge).finally(() => {
        last = undefined;
      }),
    };
    return last.done;
  }

  return { token, renew };
}

const refusedNewest = 'it refuses the token that its authorization server has just given';

function whyNeeded({ insufficient, scope, token }: Challenge): string {
  if (insufficient)
    return `It wants more rights than its login has${scope === undefined ? '' : ` (${scope})`}`;
  return token === undefined ? 'It wants a login' : 'Its login has run out';
}

const wordsOf = (scope: string) => scope.split(/\s+/).filter(word => word !== '');

function union(...scopes: readonly (string | undefined)[]): string | undefined {
  const words = new Set(scopes.flatMap(scope => wordsOf(scope ?? '')));
  return words.size === 0 ? undefined : [...words].join(' ');
}

function covers(scope: string, wanted: string): boolean {
  const has = new Set(wordsOf(scope));
  return wordsOf(wanted).every(word => has.has(word));
}
