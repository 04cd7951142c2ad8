/** Logging in with a person, against an authorization server on this machine: what it is asked, what is kept, what goes wrong. */
import { chmodSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { logIn } from '../../../src/mcp/oauth/log-in.ts';
import { logOut } from '../../../src/mcp/oauth/log-out.ts';
import { browser, httpServer, ownPlace } from './helpers.ts';
import { protectedServer } from './protected-server.ts';

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    error => error,
  );

/** Of a path that no URL can have. */
const statusOf = (port: string, target: string) =>
  new Promise(resolve => {
    request({ host: '127.0.0.1', port, path: target }, ({ statusCode }) => resolve(statusCode)).end();
  });

test('a login registers a client, proves itself and is kept in a file of the user alone', async () => {
  await using server = await protectedServer({ scope: 'tools:read' });
  const place = ownPlace();
  const { authorize, pages } = browser();
  await logIn(httpServer(server.url), { logins: place.logins, authorize });

  expect(server.log).toEqual(['register', 'authorize', 'code']);
  const [asked] = server.authorizations;
  expect(asked?.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(asked?.get('code_challenge_method')).toBe('S256');
  expect(asked?.get('state')).toMatch(/^[\w-]{43}$/);
  expect(asked?.get('resource')).toBe(server.url);
  expect(asked?.get('scope')).toBe('tools:read');
  expect(server.registered).toMatchObject([
    {
      client_name: 'rawcall',
      token_endpoint_auth_method: 'none',
      redirect_uris: [asked?.get('redirect_uri')],
    },
  ]);
  expect(await pages[0]).toContain('rawcall is logged in to protected.');

  expect(place.files).toHaveLength(1);
  expect(statSync(place.file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(place.file)).mode & 0o777).toBe(0o700);
  expect(await place.logins.read(httpServer(server.url))).toMatchObject({
    tokens: {
      access_token: expect.stringMatching(/^access-/),
      refresh_token: expect.stringMatching(/^refresh-/),
    },
    client: { client_id: 'client-1' },
  });
});

test('each login has a state of its own, and begins anew', async () => {
  await using server = await protectedServer();
  const place = ownPlace();
  for (const _time of [1, 2]) await logIn(httpServer(server.url), { logins: place.logins, ...browser() });
  expect(server.log).toEqual(['register', 'authorize', 'code', 'register', 'authorize', 'code']);
  expect(new Set(server.authorizations.map(one => one.get('state'))).size).toBe(2);
  expect(place.files).toHaveLength(1);
});

test('an answer with a wrong state is refused and ends nothing; the right one still counts, once', async () => {
  await using server = await protectedServer();
  const place = ownPlace();
  let wrong = '';
  let again = 0;
  const authorize = async ({ address }: { address: string }) => {
    const redirect = await fetch(address, { redirect: 'manual' });
    const back = new URL(redirect.headers.get('location') ?? '');
    const strange = new URL(back);
    strange.searchParams.set('state', 'a'.repeat(43));
    const first = await fetch(strange);
    expect(first.status).toBe(400);
    wrong = await first.text();
    const twice = new URL(back);
    twice.searchParams.append('state', back.searchParams.get('state') ?? '');
    expect((await fetch(twice)).status).toBe(400);
    expect(await statusOf(back.port, '//[?state=%')).toBe(404);
    const [, second] = await Promise.all([fetch(back), fetch(back)]);
    again = second.status;
  };
  await logIn(httpServer(server.url), { logins: place.logins, authorize });
  expect(wrong).toContain('not the login that rawcall waits for');
  expect(again).toBe(400);
  expect(server.log.filter(word => word === 'code')).toHaveLength(1);
});

test('a user who says no: the reason is told, its hostile characters are not', async () => {
  await using server = await protectedServer({ user: 'denies' });
  const place = ownPlace();
  const { authorize, pages } = browser();
  const error = await failure(logIn(httpServer(server.url), { logins: place.logins, authorize }));
  expect(error).toMatchObject({ code: 'mcp_login_failed' });
  expect(error.message).toBe(
    'The login to protected failed: access_denied: <script>alert("no")</script> [2J.',
  );
  const page = (await pages[0]) ?? '';
  expect(page).toContain('&lt;script&gt;alert(&quot;no&quot;)&lt;/script&gt;');
  expect(page).not.toMatch(/<script|\u001b/);
  expect(server.log).not.toContain('code');
  expect(await place.logins.read(httpServer(server.url))).toBeUndefined();
});

test('nobody comes: the login ends after its time, and says what came instead', async () => {
  await using server = await protectedServer();
  const strange = browser(address => address.searchParams.set('state', 'none'));
  const options = { logins: ownPlace().logins, authorize: strange.authorize, loginTimeout: 700 };
  const error = await failure(logIn(httpServer(server.url), options));
  expect(error.message).toBe(
    'The login to protected failed: no answer came in time; 1 came that did not belong to this login.',
  );
});

test('a login that is given up, and one whose browser cannot be had', async () => {
  await using server = await protectedServer();
  const { logins } = ownPlace();
  const stop = new AbortController();
  let shown: AbortSignal | undefined;
  const givenUp = await failure(
    logIn(httpServer(server.url), {
      logins,
      signal: stop.signal,
      authorize({ signal }) {
        shown = signal;
        stop.abort();
      },
    }),
  );
  expect(givenUp.message).toBe('The login to protected failed: it was given up.');
  expect(shown?.aborted).toBe(true);
  const broken = new Error('no browser here');
  const authorize = () => Promise.reject(broken);
  expect(await failure(logIn(httpServer(server.url), { logins, authorize }))).toBe(broken);
});

test.each([
  ['refused', /127\.0\.0\.1:\d+ says: invalid_client_metadata: No \[31mstrangers here\./],
  [
    'none',
    /registers no clients\. Register one there by hand, and give its clientId in "auth" of the config/,
  ],
] as const)('no client can be registered (%s): what to do is said', async (registration, message) => {
  await using server = await protectedServer({ registration });
  const error = await failure(logIn(httpServer(server.url), { logins: ownPlace().logins, ...browser() }));
  expect(error.message).toMatch(message);
  expect(server.log).not.toContain('authorize');
});

test.each([
  ['refused', /invalid_grant: The code … is not good\.$/],
  ['garbage', /not in OAuth's form\.$/],
] as const)('a code that is not taken (%s) is sent once, and is in no message', async (exchange, message) => {
  await using server = await protectedServer({ exchange });
  const place = ownPlace();
  const { authorize, pages } = browser();
  const error = await failure(logIn(httpServer(server.url), { logins: place.logins, authorize }));
  expect(error.message).toMatch(message);
  expect(server.log).toEqual(['register', 'authorize', 'code']);
  expect(server.secrets.size).toBeGreaterThan(1);
  for (const secret of server.secrets) expect(`${error.message} ${await pages[0]}`).not.toContain(secret);
  expect(await pages[0]).toContain('<h1>Not logged in</h1>');
});

test('a client of the config needs no registration, and its port is the one that is known', async () => {
  await using server = await protectedServer({ registration: 'none', clients: { mine: 's3cret-word' } });
  const taken = createServer();
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  const auth = { clientId: 'mine', clientSecret: 's3cret-word', callbackPort: port, scope: 'a b' };
  const options = { logins: ownPlace().logins, ...browser() };
  const error = await failure(logIn(httpServer(server.url, auth), options));
  expect(error.message).toContain(`the port ${port} of its "callbackPort" cannot be had (EADDRINUSE)`);

  await new Promise(resolve => taken.close(resolve));
  await logIn(httpServer(server.url, auth), options);
  expect(server.log).toEqual(['authorize', 'code']);
  expect(server.authorizations[0]?.get('redirect_uri')).toBe(`http://127.0.0.1:${port}/callback`);
  expect(server.authorizations[0]?.get('scope')).toBe('a b');

  const wrong = httpServer(server.url, { ...auth, clientSecret: 'wrong-word' });
  const refused = await failure(logIn(wrong, options));
  expect(refused.message).toMatch(/says: invalid_client/);
  expect(refused.message).not.toContain('wrong-word');
});

test('a client of another authorization server is not shown to this one', async () => {
  await using server = await protectedServer({ clients: { mine: 's3cret-word' } });
  const auth = { clientId: 'mine', clientSecret: 's3cret-word', issuer: 'https://auth.example.com' };
  const error = await failure(
    logIn(httpServer(server.url, auth), { logins: ownPlace().logins, ...browser() }),
  );
  expect(error.message).toContain('not the one that the client of its config belongs to');
  expect(server.log).toEqual([]);
});

test('a client metadata document is the client, where the server takes it; else one is registered', async () => {
  const auth = { clientId: 'https://rawcall.example/client.json' };
  await using taking = await protectedServer({ metadataDocuments: true });
  const { logins } = ownPlace();
  await logIn(httpServer(taking.url, auth), { logins, ...browser() });
  expect(taking.log).toEqual(['authorize', 'code']);
  expect(taking.authorizations[0]?.get('client_id')).toBe(auth.clientId);
  await using other = await protectedServer();
  await logIn(httpServer(other.url, auth), { logins, ...browser() });
  expect(other.log).toEqual(['register', 'authorize', 'code']);
});

test('an answer of another issuer is refused before its code is sent', async () => {
  await using server = await protectedServer({ issuerInAnswer: 'https://attacker.example' });
  const options = { logins: ownPlace().logins, ...browser() };
  const error = await failure(logIn(httpServer(server.url), options));
  expect(error.message).toContain('does not come from the authorization server that was asked');
  expect(server.log).not.toContain('code');
  server.behaviour.issuerInAnswer = server.origin;
  await logIn(httpServer(server.url), options);
  const without = browser(address => address.searchParams.delete('iss'));
  expect((await failure(logIn(httpServer(server.url), { ...options, ...without }))).message).toContain(
    'does not come from',
  );
});

test('a server that refuses the token that was just given ends the login', async () => {
  await using server = await protectedServer({ refusesAll: true });
  const error = await failure(logIn(httpServer(server.url), { logins: ownPlace().logins, ...browser() }));
  expect(error.message).toContain('it refuses the token that its authorization server has just given');
  expect(server.log.filter(word => word === 'authorize')).toHaveLength(1);
});

test('no login where none is asked for, none besides a header', async () => {
  const open = createServer((_request, response) => void response.writeHead(404).end());
  await new Promise<void>(resolve => open.listen(0, '127.0.0.1', resolve));
  const { port } = open.address() as { port: number };
  const options = { logins: ownPlace().logins, ...browser() };
  const login = (url: string, headers = {}) => failure(logIn({ name: 'it', url, headers }, options));
  expect((await login(`http://127.0.0.1:${port}/mcp`)).message).toContain('does not ask for one (HTTP 404)');
  await new Promise(resolve => open.close(resolve));
  expect((await login(`http://127.0.0.1:${port}/mcp`)).message).toContain('cannot be reached');
  expect((await login('https://x/', { Authorization: 'Bearer t' })).message).toContain(
    'header "Authorization"',
  );
});

test.each([
  [{ authorizationServer: 'http://auth.example' }, 'http://auth.example is not encrypted'],
  [{ authorizationEndpoint: 'http://auth.example/authorize' }, 'http://auth.example is not encrypted'],
  [{ authorizationEndpoint: 'javascript:alert(1)' }, "not in OAuth's form"],
  [{ authorizationEndpoint: 'file:///etc/passwd' }, 'is not encrypted'],
])('nobody is sent to an address that is no safe page: %o', async (behaviour, message) => {
  await using server = await protectedServer(behaviour);
  const visitor = browser();
  const error = await failure(logIn(httpServer(server.url), { logins: ownPlace().logins, ...visitor }));
  expect(error.message).toContain(message);
  expect(visitor.pages).toEqual([]);
});

test('logging out revokes both tokens and deletes the login', async () => {
  await using server = await protectedServer();
  const place = ownPlace();
  await logIn(httpServer(server.url), { logins: place.logins, ...browser() });
  expect(await logOut(httpServer(server.url), place.logins)).toEqual({ removed: true });
  expect(server.log.slice(3)).toEqual(['revoke', 'revoke']);
  expect(place.files).toEqual([]);
  expect(await logOut(httpServer(server.url), place.logins)).toEqual({ removed: false });
});

test.each([
  ['fails', /says: HTTP 503/],
  ['none', /revokes no tokens/],
] as const)(
  'tokens that cannot be revoked (%s) are deleted all the same, which is told',
  async (revocation, why) => {
    await using server = await protectedServer({ revocation });
    const place = ownPlace();
    await logIn(httpServer(server.url), { logins: place.logins, ...browser() });
    const { removed, notRevoked } = await logOut(httpServer(server.url), place.logins);
    expect(removed).toBe(true);
    expect(notRevoked).toMatch(why);
    for (const secret of server.secrets) expect(notRevoked).not.toContain(secret);
    expect(place.files).toEqual([]);
  },
);

test.each([
  ['no JSON', (file: string) => writeFileSync(file, '{"tokens": "secret-', { mode: 0o600 }), /it is no JSON/],
  [
    'another version',
    (file: string) => writeFileSync(file, '{"version": 9}'),
    /this version of rawcall \(version\)/,
  ],
  [
    'another server',
    (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('/mcp', '/other')),
    /another address/,
  ],
  ['open to others', (file: string) => chmodSync(file, 0o644), /others than its owner may read it/],
  ['a link', relink, /no plain file/],
])('a file with %s is not used; what to do is said, and does it', async (_kind, spoil, message) => {
  await using server = await protectedServer();
  const place = ownPlace();
  const target = httpServer(server.url);
  await logIn(target, { logins: place.logins, ...browser() });
  spoil(place.file);
  const error = await failure(place.logins.read(target));
  expect(error).toMatchObject({ code: 'bad_stored_login' });
  expect(error.message).toMatch(message);
  expect(error.message).toContain(place.file);
  expect(error.message).toMatch(/Log in again, which replaces it: rawcall mcp login protected$/);
  expect(error.message).not.toContain('secret-');
  await logIn(target, { logins: place.logins, ...browser() });
  expect(await place.logins.read(target)).toBeDefined();
  spoil(place.file);
  expect(await logOut(target, place.logins)).toMatchObject({ removed: true, notRevoked: error.message });
});

function relink(file: string): void {
  const other = `${file}.other`;
  writeFileSync(other, readFileSync(file), { mode: 0o600 });
  unlinkSync(file);
  symlinkSync(other, file);
}
