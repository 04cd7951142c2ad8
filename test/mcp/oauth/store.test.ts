/** Where logins lie, and that one process at a time changes one. */
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { alone, staleAfter } from '../../../src/mcp/oauth/lock.ts';
import { dataFolder } from '../../../src/user-folders.ts';
import { httpServer, ownPlace } from './helpers.ts';

const home = homedir();

test.each([
  [{ RAWCALL_DATA: '/mine', XDG_DATA_HOME: '/xdg' }, 'linux', '/mine'],
  [{ XDG_DATA_HOME: '/xdg' }, 'linux', '/xdg/rawcall'],
  [{ XDG_DATA_HOME: 'relative' }, 'linux', path.join(home, '.local/share/rawcall')],
  [{}, 'linux', path.join(home, '.local/share/rawcall')],
  [{}, 'darwin', path.join(home, 'Library/Application Support/rawcall')],
  [{ LOCALAPPDATA: '/local' }, 'win32', '/local/rawcall/Data'],
] as const)('the folder of %o on %s', (env, platform, folder) => {
  expect(dataFolder(env, platform)).toBe(folder);
});

const login = (server: string) => ({
  server,
  authorizationServer: 'https://auth.example.com/',
  tokens: { access_token: 'access-one', token_type: 'Bearer', id_token: 'identity-of-somebody' },
});

test('one login an address, whatever its spelling; no id token; a folder that was open is closed', async () => {
  const place = ownPlace();
  const folder = path.join(place.env.RAWCALL_DATA, 'logins');
  mkdirSync(folder, { mode: 0o755 });
  const one = httpServer('https://tickets.example.com/mcp');
  const other = httpServer('https://tickets.example.com/mcp?team=2');
  await place.logins.write(one, login(one.url));
  await place.logins.write(other, login(other.url));
  await place.logins.write(httpServer('HTTPS://Tickets.example.com:443/mcp#x'), login('spelt otherwise'));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder)).toEqual([
    expect.stringMatching(/^tickets\.example\.com-[0-9a-f]{16}\.json$/),
    expect.stringMatching(/^tickets\.example\.com-[0-9a-f]{16}\.json$/),
  ]);
  expect(await place.logins.read(one)).toEqual({
    ...login('https://tickets.example.com/mcp'),
    tokens: { access_token: 'access-one', token_type: 'Bearer' },
  });
  expect(await place.logins.remove(one)).toBe(true);
  expect(await place.logins.read(other)).toBeDefined();
});

test('work on one login goes one after another; what fails lets the next one in', async () => {
  const { logins } = ownPlace();
  const server = httpServer('https://a.example/');
  const order: string[] = [];
  const work = (name: string) =>
    logins.alone(server, async () => {
      order.push(`${name} begins`);
      await new Promise(resolve => setTimeout(resolve, 20));
      order.push(`${name} ends`);
      if (name === 'b') throw new Error('b');
    });
  const results = await Promise.allSettled(['a', 'b', 'c'].map(work));
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  for (let at = 0; at < order.length; at += 2)
    expect(order[at + 1]).toBe(order[at]?.replace('begins', 'ends'));
  expect(order).toHaveLength(6);
});

test('a place where nothing can be kept is named, with what to do', async () => {
  const place = ownPlace();
  writeFileSync(path.join(place.env.RAWCALL_DATA, 'logins'), 'a file');
  const server = httpServer('https://a.example/');
  expect(await place.logins.read(server)).toBeUndefined();
  expect(await place.logins.remove(server)).toBe(false);
  const message = /^Logins cannot be kept in .*logins \((ENOTDIR|EEXIST)\)\. Let it be written to, or name/;
  await expect(place.logins.write(server, login(server.url))).rejects.toThrow(message);
  await expect(place.logins.alone(server, async () => {})).rejects.toThrow(message);
});

test('a lock that a dead process left behind holds nobody up', async () => {
  const lock = path.join(ownPlace().env.RAWCALL_DATA, 'left.lock');
  writeFileSync(lock, '');
  const then = new Date(Date.now() - staleAfter - 1000);
  utimesSync(lock, then, then);
  expect(await alone(lock, async () => existsSync(lock))).toBe(true);
  expect(existsSync(lock)).toBe(false);
});
