/** Locks that were left behind hold nobody up, and those that are held do. */
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { locked } from '../../src/store/lock.ts';
import { temporaryFolder } from '../cli/rawcall.ts';

const nobody = { onWait: () => {} };
/** Higher than Linux and macOS count. */
const dead = 2 ** 22 + 1;

function lockOf(holder: object | string): string {
  const file = path.join(temporaryFolder(), 'a.lock');
  writeFileSync(file, typeof holder === 'string' ? holder : JSON.stringify(holder));
  return file;
}

test('works under one name come one after another, and the file is gone behind them', async () => {
  const file = path.join(temporaryFolder(), 'a.lock');
  let inside = 0;
  let most = 0;
  let waited = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ pid: process.pid, host: hostname() });
    await new Promise(resolve => setTimeout(resolve, 30));
    inside -= 1;
  };
  const waiting = {
    onWait: () => {
      waited += 1;
    },
  };
  await Promise.all([1, 2, 3].map(() => locked(file, waiting, work)));
  expect(most).toBe(1);
  expect(waited).toBeGreaterThan(0);
  expect(existsSync(file)).toBe(false);
});

test('one of a process that is gone counts for nothing', async () => {
  const file = lockOf({ pid: dead, host: hostname() });
  expect(await locked(file, nobody, async () => 'done')).toBe('done');
});

test('one that nobody has touched for long counts for nothing, whoever holds it', async () => {
  const file = lockOf({ pid: process.pid, host: 'another-machine' });
  const before = new Date(Date.now() - 10 * 60_000);
  utimesSync(file, before, before);
  expect(await locked(file, nobody, async () => 'done')).toBe('done');
});

test.each([
  ['of a process that lives', { pid: process.pid, host: hostname() }],
  ['of another machine', { pid: dead, host: 'another-machine' }],
  ['that is just being written', ''],
])('one %s is waited for, until the user has enough', async (_, holder) => {
  const file = lockOf(holder);
  const stopping = new AbortController();
  const reason = new Error('enough');
  const work = locked(
    file,
    { signal: stopping.signal, onWait: () => stopping.abort(reason) },
    async () => 'done',
  );
  await expect(work).rejects.toBe(reason);
  expect(existsSync(file)).toBe(true);
});

test('a work that fails gives the lock back', async () => {
  const file = path.join(temporaryFolder(), 'a.lock');
  await expect(locked(file, nobody, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(existsSync(file)).toBe(false);
});
