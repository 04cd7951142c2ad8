/** What is kept from one start to the next, by the states' use as the engine counts it. */
import { copyFileSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { stateFolder } from '../../src/cli/folders.ts';
import { practiceModel } from '../engine/practice.ts';
import { type Outcome, rawcall, temporaryFolder } from './rawcall.ts';

const calc = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server calc'];
const materials = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server materials'];

/** A cache of its own, which is empty. */
function ownCache() {
  const folder = temporaryFolder();
  const states = path.join(folder, 'states');
  return {
    start: (...args: string[]) => rawcall([...args], { env: { RAWCALL_CACHE: folder } }),
    ask: (question: string, ...args: string[]) =>
      rawcall(['run', question, '--json', ...args], { env: { RAWCALL_CACHE: folder } }),
    files: () => readdirSync(states).map(name => path.join(states, name)),
  };
}

/** Of a run's first turn. */
function firstUsage({ json }: Outcome): { prompt: number; reused: number; evaluated: number } {
  return json().find(({ type }) => type === 'usage');
}

test('a second start evaluates the question alone; other tools, another model and --no-cache evaluate all', async () => {
  const { ask, start } = ownCache();
  const first = firstUsage(await ask('What is 31 plus 11?', ...calc));
  expect(first).toMatchObject({ reused: 0, evaluated: first.prompt });

  const other = await ask('Add 5 and 4.', ...calc);
  const second = firstUsage(other);
  expect(other.stderr).toBe('');
  expect(second.reused).toBeGreaterThan(300);
  expect(second.evaluated).toBeLessThan(30);

  const copy = path.join(temporaryFolder(), 'copy.gguf');
  copyFileSync(practiceModel, copy);
  utimesSync(copy, new Date(2020, 1, 1), new Date(2020, 1, 1));
  const fresh = await Promise.all([
    ask('Hello!', ...materials),
    ask('Hello!', ...calc, '--model', copy),
    ask('Hello!', ...calc, '--no-cache'),
  ]);
  expect(fresh.map(one => firstUsage(one).reused)).toEqual([0, 0, 0]);

  const listed = (await start('cache', '--json')).json();
  const total = listed.pop();
  expect(listed.map(({ model }) => model)).toEqual(Array(3).fill('rawcall practice'));
  expect(listed.map(({ tokens }) => tokens)).toContain(second.reused);
  expect(total).toMatchObject({ states: 3, total: listed.reduce((sum, { size }) => sum + size, 0) });
  expect((await start('cache')).stdout).toMatch(/^model .*\nrawcall practice +\d+ +[\d.]+ MiB +\d{4}-/);

  expect((await start('cache', 'clear')).stdout).toMatch(/^Deleted 3 states/);
  expect((await start('cache')).stdout).toMatch(/^No saved states in /);
});

test('a byte that changed: the state is not used, which is told, and kept anew', async () => {
  const { ask, files } = ownCache();
  await ask('Hello!', ...calc);
  const [file = ''] = files();
  const bytes = readFileSync(file);
  bytes[1000]! ^= 1;
  writeFileSync(file, bytes);

  const broken = await ask('Hello!', ...calc);
  expect(firstUsage(broken).reused).toBe(0);
  expect(broken.stderr).toContain(`${file} can't be used`);
  expect(broken.code).toBe(0);
  const mended = await ask('Hello!', ...calc);
  expect(firstUsage(mended).reused).toBeGreaterThan(300);
  expect(mended.stderr).toBe('');
});

test.each([
  [{ RAWCALL_CACHE: '/mine', XDG_CACHE_HOME: '/xdg' }, 'linux', '/mine/states'],
  [{ RAWCALL_CACHE: '/mine' }, 'win32', '/mine/states'],
  [{ XDG_CACHE_HOME: '/xdg' }, 'linux', '/xdg/rawcall/states'],
  [{ XDG_CACHE_HOME: 'no/root' }, 'linux', path.join(homedir(), '.cache/rawcall/states')],
  [{}, 'linux', path.join(homedir(), '.cache/rawcall/states')],
  [{ XDG_CACHE_HOME: '/xdg' }, 'darwin', path.join(homedir(), 'Library/Caches/rawcall/states')],
  [{ LOCALAPPDATA: '/local' }, 'win32', '/local/rawcall/Cache/states'],
] as const)('%j on %s: %s', (env, platform, folder) => {
  expect(stateFolder(env, platform)).toBe(path.normalize(folder));
});
