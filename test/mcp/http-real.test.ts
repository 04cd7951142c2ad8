/** The reference server from npm over both HTTP protocols. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { npmServer, readySet } from './helpers.ts';

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

async function everything(protocol: 'streamableHttp' | 'sse', port?: number) {
  const { command, args } = npmServer('everything', protocol);
  const at = port ?? (await freePort());
  const env = { ...process.env, PORT: String(at) };
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  started.push(child);
  for await (const chunk of child.stderr!.iterator({ destroyOnReturn: false }))
    if (/(running|listening) on port/.test(String(chunk))) break;
  child.stderr!.resume();
  return { child, port: at, origin: `http://127.0.0.1:${at}` };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe.each([
  ['Streamable HTTP', 'streamableHttp', '/mcp', undefined],
  ['Streamable HTTP, said so', 'streamableHttp', '/mcp', 'http'],
  ['the older SSE, found out', 'sse', '/sse', undefined],
  ['the older SSE, said so', 'sse', '/sse', 'sse'],
] as const)('%s', (_name, protocol, path, transport) => {
  test('tools, results, progress, and the end', async () => {
    const { origin, child } = await everything(protocol);
    const web = { name: 'web', url: `${origin}${path}`, headers: {}, ...(transport ? { transport } : {}) };
    const host = await readySet([web]);
    expect(host.servers).toMatchObject([{ name: 'web', state: 'ready', warnings: [] }]);
    expect(host.servers[0]?.info?.name).toContain('everything');
    expect(await host.call('echo', { message: 'hi' })).toMatchObject({ content: 'Echo: hi', isError: false });
    const onProgress = vi.fn();
    const long = await host.call('trigger_long_running_operation', { duration: 1, steps: 2 }, { onProgress });
    expect(long.isError).toBe(false);
    // The last may come together with the result.
    expect(onProgress).toHaveBeenCalled();
    const controller = new AbortController();
    const call = host.call('trigger_long_running_operation', { duration: 60, steps: 2 }, controller);
    setTimeout(() => controller.abort(new Error('enough')), 100);
    await expect(call).rejects.toThrow('enough');
    expect((await host.call('get_sum', { a: 2, b: 40 })).content).toContain('42');
    await host.close();
    expect(host.servers[0]?.state).toBe('closed');
    expect(child.exitCode).toBe(null);
  });
});

test('a server that was started again has forgotten its sessions; the next call opens another', async () => {
  const first = await everything('streamableHttp');
  await using host = await readySet([{ name: 'web', url: `${first.origin}/mcp`, headers: {} }]);
  await host.call('echo', { message: 'one' });
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  await everything('streamableHttp', first.port);
  expect(await host.call('echo', { message: 'two' })).toMatchObject({ content: 'Echo: two', isError: false });
});

test('an event stream that ends is the end of an older server, and the next call opens another', async () => {
  const first = await everything('sse');
  await using host = await readySet([{ name: 'web', url: `${first.origin}/sse`, headers: {} }]);
  first.child.kill('SIGKILL');
  await vi.waitFor(() => expect(host.servers[0]?.state).toBe('failed'), { timeout: 10_000 });
  expect(host.servers[0]?.reason).toContain('its event stream ended');
  expect(await host.call('echo', { message: 'x' })).toMatchObject({
    isError: true,
    content: expect.stringContaining('nothing listens'),
  });
  await everything('sse', first.port);
  expect(await host.call('echo', { message: 'two' })).toMatchObject({ content: 'Echo: two', isError: false });
});
