/** `rawcall mcp login` and `logout` as processes, against a server that wants a token. */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ProtectedServer, protectedServer } from '../../mcp/oauth/protected-server.ts';
import { outcome, rawcall, start, temporaryFolder } from '../rawcall.ts';

function given(server: ProtectedServer, auth: object = {}) {
  const folder = temporaryFolder();
  const config = path.join(folder, 'servers.json');
  const mcpServers = { protected: { url: server.url, auth }, calc: { command: 'rawcall' } };
  writeFileSync(config, JSON.stringify({ mcpServers }));
  const env = { RAWCALL_DATA: path.join(folder, 'data'), RAWCALL_KEYRING: 'off' };
  return {
    env,
    run: (...args: string[]) => rawcall(['mcp', ...args, '--mcp-config', config], { env }),
    start: (...args: string[]) => {
      const child = start(['mcp', ...args, '--mcp-config', config], { env });
      onTestFinished(() => void child.kill());
      return child;
    },
    files: () => readdirSync(path.join(env.RAWCALL_DATA, 'logins')),
  };
}

test('login prints the address alone on stdout and waits; the login is used, and logout revokes it', async () => {
  await using server = await protectedServer();
  const place = given(server);
  const before = await place.run('test', 'protected');
  expect(before.code).toBe(1);
  expect(before.stderr + before.stdout).toContain('Log in: rawcall mcp login protected');

  const child = place.start('login', 'protected');
  const ended = outcome(child);
  const address = await new Promise<string>(resolve => child.stdout.once('data', resolve));
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+\n$/);
  const page = await (await fetch(address.trim())).text();
  expect(page).toContain('rawcall is logged in to protected.');
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);
  const [file = ''] = place.files();
  expect(stdout).toBe(
    `${address}Logged in to protected. Kept in ${path.join(place.env.RAWCALL_DATA, 'logins', file)}.\n`,
  );
  expect(stderr).toMatch(/^Log in to protected in a browser on this machine:\nWaiting /);

  const tested = await place.run('call', 'protected', 'greet');
  expect(tested).toMatchObject({ code: 0, stdout: 'Hello!\n' });

  const out = await place.run('logout', 'protected');
  expect(out).toMatchObject({ code: 0, stdout: 'Logged out of protected.\n', stderr: '' });
  expect(server.log).toEqual(['register', 'authorize', 'code', 'revoke', 'revoke']);
  expect((await place.run('logout', 'protected')).stdout).toBe('There was no login to protected.\n');
  const told = [before, tested, out, { stdout, stderr }].map(one => one.stdout + one.stderr).join('');
  for (const secret of server.secrets) expect(told).not.toContain(secret);
});

test.skipIf(process.platform !== 'linux')('--open opens it in the browser of the user', async () => {
  await using server = await protectedServer();
  const place = given(server);
  const visitor = path.join(temporaryFolder(), 'visitor');
  writeFileSync(visitor, `#!${process.execPath}\nfetch(process.argv[2]).then(page => page.text());\n`);
  chmodSync(visitor, 0o755);
  // As on a machine without a desktop and its browsers, which would open one of its own choice.
  const nowhere = temporaryFolder();
  const desktop = {
    XDG_DATA_DIRS: nowhere,
    XDG_DATA_HOME: nowhere,
    XDG_CONFIG_DIRS: nowhere,
    XDG_CONFIG_HOME: nowhere,
    XDG_CURRENT_DESKTOP: '',
    DESKTOP_SESSION: '',
    KDE_FULL_SESSION: '',
    GNOME_DESKTOP_SESSION_ID: '',
  };
  Object.assign(place.env, { BROWSER: visitor, DISPLAY: ':none', ...desktop });
  const { code, stderr, json } = await place.run('login', 'protected', '--open', '--json', '--scope', 'a b');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(json()).toMatchObject([{ type: 'login-start', server: 'protected' }, { type: 'login-end' }]);
  expect(server.authorizations[0]?.get('scope')).toBe('a b');
});

test('what cannot be logged in to is said, and a refusal exits 1', async () => {
  await using server = await protectedServer({ registration: 'none' });
  const place = given(server);
  const [refused, unknown, command] = await Promise.all([
    place.run('login', 'protected'),
    place.run('login', 'protectd'),
    place.run('login', 'calc'),
  ]);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^rawcall: The login to protected failed: its authorization server registers no/,
  );
  expect(unknown.stderr).toContain('Did you mean "protected"?');
  expect(command).toMatchObject({ code: 2 });
  expect(command.stderr).toContain('is started by a command');
});

test('an interrupt gives the login up', async () => {
  await using server = await protectedServer();
  const child = given(server).start('login', 'protected');
  const ended = outcome(child);
  await new Promise(resolve => child.stdout.once('data', resolve));
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
});
