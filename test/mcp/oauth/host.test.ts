/** Servers that want a login, through the host: what a run does with the login that is kept, and what it says without one. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Host, openHost } from '../../../src/mcp/host.ts';
import { logIn } from '../../../src/mcp/oauth/log-in.ts';
import { disposable, readySet } from '../helpers.ts';
import { browser, httpServer, ownPlace, type Place } from './helpers.ts';
import { type ProtectedServer, protectedServer } from './protected-server.ts';

const loggedIn = (server: ProtectedServer, { logins }: Place, scope?: string) =>
  logIn(httpServer(server.url), { logins, ...browser(), ...(scope ? { scope } : {}) });

test('without a login the server fails and says how to log in; no client is registered for it', async () => {
  await using server = await protectedServer();
  const { logins } = ownPlace();
  await using set = await readySet([httpServer(server.url)], { logins });
  expect(set.servers).toMatchObject([
    { state: 'failed', reason: 'It wants a login. Log in: rawcall mcp login protected' },
  ]);
  expect(server.log).toEqual([]);
});

test('a login that is kept is used; one that has run out is renewed without a word, once for all calls', async () => {
  await using server = await protectedServer();
  const place = ownPlace();
  await loggedIn(server, place);
  await using set = await readySet([httpServer(server.url)], { logins: place.logins });
  expect(set.servers).toMatchObject([{ state: 'ready' }]);
  expect(server.log).toEqual(['register', 'authorize', 'code']);

  server.expire();
  const results = await Promise.all([1, 2, 3, 4].map(() => set.call('greet', {})));
  expect(results.map(({ content }) => content)).toEqual(Array(4).fill('Hello!'));
  expect(server.log.slice(3)).toEqual(['refresh']);
  expect(server.tokenRequests.at(-1)?.get('resource')).toBe(server.url);

  // What was kept of it is the newest.
  server.expire();
  await using second = await readySet([httpServer(server.url)], { logins: place.logins });
  expect(await second.call('greet', {})).toMatchObject({ content: 'Hello!' });
  expect(server.log.slice(3)).toEqual(['refresh', 'refresh']);
});

test.each([
  [
    'refused',
    /^Its login is no longer good \(.* says: invalid_grant: The token … is not good\)\. Log in: /,
    0,
  ],
  ['fails', /its token could not be renewed: 127\.0\.0\.1:\d+ says: HTTP 503\.$/, 1],
  ['garbage', /its token could not be renewed/, 1],
] as const)(
  'a refresh that is %s: said, without a token in it; what is broken is deleted',
  async (refresh, why, kept) => {
    await using server = await protectedServer({ refresh });
    const place = ownPlace();
    await loggedIn(server, place);
    server.expire();
    await using set = await readySet([httpServer(server.url)], { logins: place.logins });
    const { state, reason = '' } = set.servers[0] ?? {};
    expect(state).toBe('failed');
    expect(reason).toMatch(why);
    for (const secret of server.secrets) expect(reason).not.toContain(secret);
    expect(place.files.length).toBe(kept);
    expect(server.log.slice(3)).toEqual(['refresh']);
    if (refresh === 'refused') return;
    server.behaviour.refresh = 'good';
    await using again = await readySet([httpServer(server.url)], { logins: place.logins });
    expect(await again.call('greet', {})).toMatchObject({ content: 'Hello!' });
  },
);

test('a login that cannot be renewed has run out', async () => {
  await using server = await protectedServer({ refreshTokens: false });
  const place = ownPlace();
  await loggedIn(server, place);
  server.expire();
  await using set = await readySet([httpServer(server.url)], { logins: place.logins });
  expect(set.servers[0]?.reason).toBe('Its login has run out. Log in: rawcall mcp login protected');
});

test('processes of one user renew their login once', async () => {
  await using server = await protectedServer();
  const place = ownPlace();
  await loggedIn(server, place);
  server.expire();
  const program = path.join(import.meta.dirname, 'one-call.ts');
  const args = ['--import', 'tsx', program, server.url];
  const run = () => promisify(execFile)(process.execPath, args, { env: { ...process.env, ...place.env } });
  const outputs = await Promise.all([run(), run(), run()]);
  expect(outputs.map(({ stdout }) => stdout)).toEqual(['Hello!', 'Hello!', 'Hello!']);
  expect(server.log.slice(3)).toEqual(['refresh']);
  expect(place.files).toHaveLength(1);
});

test('a call that wants more rights says so, the server stays; the login with them is asked for both', async () => {
  await using server = await protectedServer({ scope: 'read', callScope: 'write' });
  const place = ownPlace();
  await loggedIn(server, place);
  await using set = await readySet([httpServer(server.url)], { logins: place.logins });
  const refused = await set.call('greet', {});
  expect(refused).toMatchObject({
    isError: true,
    content:
      "It wants more rights than its login has (write). Log in: rawcall mcp login protected --scope 'read write'",
  });
  expect(set.servers[0]?.state).toBe('ready');
  expect(server.log.slice(3)).toEqual([]);

  await loggedIn(server, place, 'read write');
  expect(await set.call('greet', {})).toMatchObject({ content: 'Hello!' });
});

test('where a person can be asked, logins and more rights are got in the run', async () => {
  await using server = await protectedServer({ scope: 'read', callScope: 'write' });
  const { logins } = ownPlace();
  const { authorize } = browser();
  await using set = await readySet([httpServer(server.url)], { logins, authorize });
  const results = await Promise.all([set.call('greet', {}), set.call('greet', {})]);
  expect(results.map(({ content }) => content)).toEqual(['Hello!', 'Hello!']);
  expect(server.authorizations.map(one => one.get('scope'))).toEqual(['read', 'read write']);
  // The client that was registered first comes back to the same address.
  expect(server.registered).toHaveLength(1);
});

test('rights that are refused after a login are not asked for again', async () => {
  await using server = await protectedServer({ scope: 'read', callScope: 'write' });
  const { logins } = ownPlace();
  // The user takes the new right off the list.
  const authorize = async ({ address }: { address: string }) => {
    const less = new URL(address);
    less.searchParams.set('scope', 'read');
    await browser().authorize({ server: '', address: less.href, signal: new AbortController().signal });
  };
  await using set = await readySet([httpServer(server.url)], { logins, authorize });
  const { content, isError } = await set.call('greet', {});
  expect(isError).toBe(true);
  expect(content).toContain('it wants the rights write, which were asked for already');
  expect(server.authorizations).toHaveLength(2);
});

test('a login of a client that the config no longer has is not renewed with another', async () => {
  await using server = await protectedServer({ clients: { mine: 's3cret-word' } });
  const { logins } = ownPlace();
  const auth = { clientId: 'mine', clientSecret: 's3cret-word' };
  await logIn(httpServer(server.url, auth), { logins, ...browser() });
  server.expire();
  await using set = await readySet([httpServer(server.url)], { logins });
  expect(set.servers[0]?.reason).toContain('Log in: rawcall mcp login protected');
  expect(server.log).toEqual(['authorize', 'code']);
});

test('a host that is closed waits for no login', async () => {
  await using server = await protectedServer();
  let host: Host | undefined;
  const opened = new Promise<AbortSignal>(resolve => {
    const authorize = ({ signal }: { signal: AbortSignal }) => resolve(signal);
    host = openHost([httpServer(server.url)], { logins: ownPlace().logins, authorize });
  });
  const waiting = await opened;
  expect(waiting.aborted).toBe(false);
  await host?.close();
  expect(waiting.aborted).toBe(true);
});

test('a machine logs in by itself: its secret, and its key', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await using server = await protectedServer({
    clients: { robot: 'robots-secret' },
    scope: 'read',
    callScope: 'write',
  });
  const place = ownPlace();
  const grant = 'client_credentials';
  const pem = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  for (const proof of [{ clientSecret: 'robots-secret' }, { privateKey: pem.replaceAll('\n', '\\n') }]) {
    server.log.length = 0;
    const entry = httpServer(server.url, { grant, clientId: 'robot', ...proof });
    await using set = await readySet([entry], { logins: place.logins });
    expect(await set.call('greet', {})).toMatchObject({ content: 'Hello!' });
    expect(server.log).toEqual(['machine', 'machine']);
    expect(server.tokenRequests.slice(-2).map(form => form.get('scope'))).toEqual(['read', 'read write']);
    server.expire();
    expect(await set.call('greet', {})).toMatchObject({ content: 'Hello!' });
  }
  expect(await place.logins.read(httpServer(server.url))).toBeUndefined();

  await using broken = await readySet(
    [
      httpServer(server.url, { grant, clientId: 'robot', clientSecret: 'wrong-secret' }),
      httpServer(server.url, { grant, clientId: 'robot', privateKey: 'no key at all' }),
      httpServer(server.url, { grant }),
    ],
    { logins: place.logins },
  );
  const reasons = broken.servers.map(({ reason }) => reason);
  expect(reasons[0]).toMatch(/says: invalid_client: Not Basic …\.$/);
  expect(reasons[1]).toContain('the "privateKey" of its config is not a PEM text');
  expect(reasons[2]).toContain('need a "clientId"');
  expect(reasons.join(' ')).not.toMatch(/wrong-secret|no key at all/);
});

test('a header of the config is what is sent, and logins are left alone', async () => {
  await using server = await protectedServer();
  const place = ownPlace();
  await loggedIn(server, place);
  const entry = { ...httpServer(server.url), headers: { Authorization: 'Bearer mine-and-old' } };
  await using set = disposable(openHost([entry], { logins: place.logins }));
  await set.ready;
  expect(set.servers[0]?.reason).toContain('does not accept the "Authorization" header of its config');
  expect(server.log.slice(3)).toEqual([]);
});
