/** Where the environment names a proxy, the hub is reached through it. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { usualPatience } from '../../src/store/patience.ts';
import { lookAtHub } from '../../src/store/remote.ts';
import { practiceModel } from '../engine/practice.ts';
import { startHub } from './hub.ts';

/** It leads every tunnel to the same port, whatever host was asked for. */
async function startProxy(port: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const server = createServer().listen(0, '127.0.0.1');
  server.on('connect', (request, socket: Socket) => {
    asked.push(request.url ?? '');
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const one of [socket, target]) open.add(one.on('error', () => {}));
  });
  await once(server, 'listening');
  onTestFinished(() => {
    for (const one of open) one.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('a host that only the proxy knows is reached', async () => {
  const hub = await startHub();
  const model = readFileSync(practiceModel);
  hub.put('org/repo', 'a.gguf', model);
  const proxy = await startProxy(Number(new URL(hub.endpoint).port));
  vi.stubEnv('HTTP_PROXY', proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = { repository: 'org/repo', file: 'a.gguf' };
  const found = await lookAtHub({ endpoint: 'http://hub.invalid' }, file, { patience: usualPatience });
  expect(found).toMatchObject({ size: model.length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(proxy.asked).toEqual(['hub.invalid:80']);
});
