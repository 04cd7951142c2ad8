/** The protocol without a process. */
import { readFileSync } from 'node:fs';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test, vi } from 'vitest';
import { clientInfo } from '../../src/mcp/session.ts';
import { open, serverOf } from './linked.ts';

test('servers are told the version of this package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(clientInfo).toEqual({ name: manifest.name, version: manifest.version });
});

test('a server without tools has none', async () => {
  const { session } = await open(serverOf({ resources: {} }));
  expect(await session.tools()).toEqual({ tools: [], problems: [] });
});

test('the end of the connection is told, and ends the calls that wait', async () => {
  const server = serverOf({ tools: {} });
  const called = vi.fn(() => new Promise<never>(() => {}));
  server.setRequestHandler(CallToolRequestSchema, called);
  const { session, events } = await open(server);
  const call = session.call('work', {});
  await vi.waitFor(() => expect(called).toHaveBeenCalled());
  await server.close();
  expect(await call).toEqual({
    content: 'The server "one" ended during the call. There is no result.',
    isError: true,
  });
  expect(events.onClosed).toHaveBeenCalledExactlyOnceWith('the connection was closed');
  expect(await session.call('work', {})).toMatchObject({ isError: true });
});

test('an abort reaches the server, and a signal is left as it was', async () => {
  const server = serverOf({ tools: {} });
  const cancelled = vi.fn();
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    if (params.name === 'quick') return { content: [] };
    signal.addEventListener('abort', cancelled);
    return new Promise(() => {});
  });
  const { session } = await open(server);
  const controller = new AbortController();
  const removed = vi.spyOn(controller.signal, 'removeEventListener');
  await session.call('quick', {}, controller);
  expect(removed).toHaveBeenCalledOnce();
  const call = session.call('slow', {}, controller);
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await expect(call).rejects.toThrow('enough');
  await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
});
