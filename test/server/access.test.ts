/** Who may ask, how many at once, and what happens to those who go away. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { openAdmission } from '../../src/server/admission.ts';
import { practiceModel } from '../engine/practice.ts';
import { startServer, type TestServer } from './server.ts';

/** With a Host header of one's own, which fetch does not allow. */
function get(url: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers }, response => {
      let body = '';
      response.setEncoding('utf8').on('data', text => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    asked.on('error', reject).end();
  });
}

describe('access', () => {
  let server: TestServer;
  let guarded: TestServer;
  beforeAll(async () => {
    server = await startServer(recordedEngine([]));
    guarded = await startServer(recordedEngine([]), {
      access: { key: 'secret', hosts: ['box.lan'], origins: ['https://app.example'] },
    });
  });
  afterAll(() => Promise.all([server.close(), guarded.close()]));

  test('a name that is not this machine’s is refused, for a page could have made it point here', async () => {
    const { port } = server;
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect((await get(`${server.url}/v1/models`, { host })).status).toBe(200);
    for (const host of ['evil.example', `localhost.evil.example:${port}`])
      expect((await get(`${server.url}/v1/models`, { host })).status).toBe(403);
    expect(
      (await get(`${guarded.url}/v1/models`, { host: 'BOX.lan:99', 'x-api-key': 'secret' })).status,
    ).toBe(200);
  });

  test('a page of another origin is refused, but for those that are named', async () => {
    const from = (url: string, origin: string) =>
      fetch(`${url}/v1/models`, { headers: { origin, authorization: 'Bearer secret' } });
    expect((await from(server.url, 'https://app.example')).status).toBe(403);
    expect((await from(server.url, 'null')).status).toBe(403);
    expect((await from(server.url, server.url)).status).toBe(200);
    const allowed = await from(guarded.url, 'https://app.example');
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example');
    const asked = await fetch(`${guarded.url}/v1/messages`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'anthropic-version,x-api-key',
      },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-headers')).toBe('anthropic-version,x-api-key');
  });

  test('the key, in either header', async () => {
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${guarded.url}/v1/models`, { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: 'Bearer secrets' })).toBe(401);
    expect(await status({ authorization: 'Bearer secret' })).toBe(200);
    expect(await status({ 'x-api-key': 'secret' })).toBe(200);
  });
});

describe('admission', () => {
  test('so many run, so many wait, and the next one hears when to come again', async () => {
    let time = 0;
    const admission = openAdmission({ slots: () => 1, queue: 1, now: () => time });
    const never = new AbortController().signal;
    const leave = await admission.enter(never);
    const second = admission.enter(never);
    await expect(admission.enter(never)).rejects.toMatchObject({
      code: 'api_error',
      details: { api: { status: 429, retryAfter: 4 } },
    });
    time = 10_000;
    leave!();
    leave!();
    expect(admission.running).toBe(1);
    (await second)!();
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  test('who goes away while waiting leaves the place to the next one', async () => {
    const admission = openAdmission({ slots: () => 1, queue: 5, now: () => 0 });
    const leave = await admission.enter(new AbortController().signal);
    const gone = new AbortController();
    const left = admission.enter(gone.signal);
    const next = admission.enter(new AbortController().signal);
    gone.abort();
    expect(await left).toBeUndefined();
    leave!();
    expect(await next).toBeTypeOf('function');
    expect(await admission.enter(AbortSignal.abort())).toBeUndefined();
  });
});

describe('a client that goes away', () => {
  let engine: LlamaEngine;
  let server: TestServer;
  beforeAll(async () => {
    engine = await openLlamaEngine({ model: practiceModel, contextSize: 8192, gpu: 'off' });
    server = await startServer(engine);
  });
  afterAll(async () => {
    await server.close();
    await engine.close();
  });

  const schema = { type: 'array', items: { enum: ['a'] }, minItems: 300 };
  const endless = {
    messages: [{ role: 'user', content: 'Tell me all.' }],
    response_format: { type: 'json_schema', json_schema: { name: 'list', schema } },
  };
  const ask = (body: object, signal?: AbortSignal) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });

  test.each([true, false])(
    'stops its generation (streamed: %s), and the next one is answered',
    async stream => {
      const leaving = new AbortController();
      const asked = ask({ ...endless, stream }, leaving.signal);
      if (stream) {
        const reader = (await asked).body!.getReader();
        await reader.read();
        await reader.read();
        leaving.abort();
        await reader.read().catch(() => {});
      } else {
        setTimeout(() => leaving.abort(), 300);
        await expect(asked).rejects.toThrow();
      }
      const next = await ask({ messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 8 });
      expect(next.status).toBe(200);
      const { usage } = (await next.json()) as { usage: { completion_tokens: number } };
      expect(usage.completion_tokens).toBeLessThanOrEqual(8);
      expect(['left', 'aborted']).toContain(server.ends.at(-2));
      expect(server.ends.at(-1)).not.toBe('left');
      expect(server.errors).toEqual([]);
    },
  );

  test.each([
    [
      '/v1/responses',
      { input: 'Tell me all.', text: { format: { type: 'json_schema', name: 'list', schema } } },
    ],
    [
      '/v1/messages',
      {
        messages: endless.messages,
        max_tokens: 4000,
        output_config: { format: { type: 'json_schema', schema } },
      },
    ],
  ])('stops its generation on %s too', async (path, body) => {
    const leaving = new AbortController();
    const asked = await fetch(`${server.url}${path}`, {
      method: 'POST',
      body: JSON.stringify({ ...body, stream: true }),
      signal: leaving.signal,
    });
    const before = server.ends.length;
    const reader = asked.body!.getReader();
    await reader.read();
    await reader.read();
    leaving.abort();
    await reader.read().catch(() => {});
    await expect.poll(() => server.ends.length, { timeout: 30_000 }).toBe(before + 1);
    expect(['left', 'aborted']).toContain(server.ends.at(-1));
    expect(server.errors).toEqual([]);
  });
});
