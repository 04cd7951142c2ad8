/** No process that a server started outlives the host, however the host ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Host } from '../../src/mcp/host.ts';
import { fixture, isAlive, readySet } from './helpers.ts';

const started: number[] = [];
afterAll(() => {
  for (const pid of started.filter(isAlive)) process.kill(pid, 'SIGKILL');
});

async function pidsOf(set: Host): Promise<number[]> {
  return remember((await set.call('pids', {})).content);
}
function remember(text: string): number[] {
  const pids = text.trim().split(' ').map(Number);
  started.push(...pids);
  return pids;
}
const allDead = (pids: number[]) =>
  vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 10_000 });

describe.skipIf(process.platform === 'win32')('the whole tree ends', () => {
  test('when the set is closed', async () => {
    const set = await readySet([fixture('grandchild')]);
    const pids = await pidsOf(set);
    expect(pids.filter(isAlive)).toEqual(pids);
    await set.close();
    await allDead(pids);
  });

  test('when the server ends and leaves its child behind', async () => {
    await using set = await readySet([fixture('grandchild')]);
    const pids = await pidsOf(set);
    expect(await set.call('die', {})).toMatchObject({ isError: true });
    await allDead(pids);
  });

  test('when the server never becomes ready', async () => {
    // The shell starts a child, and neither of them is an MCP server.
    const shell = { name: 'shell', command: 'sh', args: ['-c', 'sleep 600 & echo $! >&2; wait'], env: {} };
    const set = await readySet([shell], { startLimit: 2000 });
    const pids = remember(/last words: (\d+)/i.exec(set.servers[0]?.reason ?? '')?.[1] ?? '');
    await allDead(pids);
  });

  test.each([
    ['SIGTERM', 'waits', 'SIGTERM'],
    ['SIGINT', 'waits', 'SIGINT'],
    ['SIGHUP', 'waits', 'SIGHUP'],
    ['process.exit', 'exit', null],
    ['an error that nobody catches', 'throw', null],
  ])('when the host ends by %s', async (_name, how, signal) => {
    const { host, pids } = await startHost(how);
    if (signal) host.kill(signal as NodeJS.Signals);
    const [, endedBy] =
      host.exitCode === null && host.signalCode === null ? await once(host, 'exit') : [0, null];
    // As it would have ended without us.
    if (signal) expect(endedBy).toBe(signal);
    await allDead(pids);
  });

  test('but not at a signal that the host listens for itself', async () => {
    const { host, pids } = await startHost('listens');
    host.kill('SIGTERM');
    await once(host.stdout, 'data');
    expect(pids.filter(isAlive)).toEqual(pids);
    host.kill('SIGINT');
    await allDead(pids);
  });
});

async function startHost(how: string) {
  const script = join(import.meta.dirname, 'fixtures', 'host.ts');
  const tsx = fileURLToPath(import.meta.resolve('tsx'));
  const host = spawn(process.execPath, ['--import', tsx, script, how], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(host.stdout, 'data');
  return { host, pids: remember(String(line)) };
}
