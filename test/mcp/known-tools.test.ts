/** Servers whose tools are known from the last time. */
import { expect, test, vi } from 'vitest';
import type { ToolListing } from '../../src/mcp/connection.ts';
import type { KnownTools } from '../../src/mcp/known-tools.ts';
import { readySet } from './helpers.ts';
import { misbehaving, newLog, readLog, tool } from './misbehaving.ts';

const listing = (...names: string[]): ToolListing => ({
  tools: names.map(name => ({ name, description: '', inputSchema: { type: 'object' } })),
  problems: [],
});

function knowing(known: ToolListing | undefined) {
  let wake = () => {};
  const startAfter = new Promise<void>(resolve => {
    wake = resolve;
  });
  const kept: string[][] = [];
  const knownTools: KnownTools = {
    startAfter,
    read: () => known,
    keep: (_server, { tools }) => void kept.push(tools.map(({ name }) => name)),
  };
  return { knownTools, wake: () => wake(), kept };
}

const starts = (log: string) => readLog(log).filter(entry => 'start' in entry).length;

test('nobody waits for their start, and a call starts them', async () => {
  const log = newLog();
  const { knownTools, kept } = knowing(listing('work'));
  await using host = await readySet([misbehaving({ log, pages: [[tool('work')]] })], { knownTools });
  expect(host.tools.map(({ name }) => name)).toEqual(['work']);
  expect(starts(log)).toBe(0);
  expect(kept).toEqual([]);
  expect(await host.call('work', {})).toMatchObject({ content: 'ran work' });
  expect(starts(log)).toBe(1);
  expect(kept).toEqual([['work']]);
});

test('they start when they are told to, once, and what they list then is what stands', async () => {
  const log = newLog();
  const { knownTools, kept, wake } = knowing(listing('old', 'work'));
  const server = misbehaving({ log, pages: [[tool('work'), tool('new')]] });
  await using host = await readySet([server], { knownTools });
  expect(host.tools.map(({ name }) => name)).toEqual(['old', 'work']);
  wake();
  await vi.waitFor(() => expect(host.tools.map(({ name }) => name)).toEqual(['work', 'new']), 20_000);
  expect(kept).toEqual([['work', 'new']]);
  expect(await host.call('new', {})).toMatchObject({ content: 'ran new' });
  expect(starts(log)).toBe(1);
});

test('a filter holds for what is known too', async () => {
  const { knownTools } = knowing(listing('work', 'drop'));
  const server = { ...misbehaving({ pages: [[tool('work')]] }), tools: { deny: ['drop'] } };
  await using host = await readySet([server], { knownTools });
  expect(host.tools.map(({ name }) => name)).toEqual(['work']);
});

test('one that no longer starts says so when it is called', async () => {
  const { knownTools } = knowing(listing('work'));
  await using host = await readySet([misbehaving({ start: { exit: 3 } })], { knownTools });
  expect(host.servers[0]).toMatchObject({ state: 'starting', tools: [{ name: 'work' }] });
  expect(await host.call('work', {})).toMatchObject({
    isError: true,
    content: expect.stringContaining('is not running'),
  });
  expect(host.servers[0]).toMatchObject({ state: 'failed' });
});

test('a host that closes before never starts them', async () => {
  const log = newLog();
  const { knownTools, wake } = knowing(listing('work'));
  {
    await using host = await readySet([misbehaving({ log })], { knownTools });
    expect(host.tools).toHaveLength(1);
  }
  wake();
  await new Promise(resolve => setImmediate(resolve));
  expect(readLog(log)).toEqual([]);
});

test('what is listed at a first start is kept for the next one', async () => {
  const { knownTools, kept } = knowing(undefined);
  await using _host = await readySet([misbehaving({ pages: [[tool('work')]] })], { knownTools });
  expect(kept).toEqual([['work']]);
});
