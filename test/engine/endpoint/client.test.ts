/** What becomes of a request where the endpoint is down, busy, slow, cut off or talks nonsense. */
import { expect, test } from 'vitest';
import { addressOf } from '../../../src/engine/endpoint/address.ts';
import { type ClientOptions, createClient } from '../../../src/engine/endpoint/client.ts';
import { events, json, scriptedServer, status } from './scripted-server.ts';

const route = 'v1/completions';
const ok = events([{ n: 1 }, { n: 2 }]);

async function read(urls: readonly string[], options: Partial<ClientOptions> = {}, signal?: AbortSignal) {
  const client = createClient({ urls, random: () => 0, ...options });
  const found: unknown[] = [];
  for await (const event of client.stream(route, {}, signal ? { signal } : {})) found.push(event.n);
  return found;
}

/** A port on which nothing listens. */
async function nobody(): Promise<string> {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

test.each([
  ['http://host:8000', 'http://host:8000', 'http://host:8000/v1'],
  ['http://host:8000/v1/', 'http://host:8000', 'http://host:8000/v1'],
  ['https://host/openai/v1', 'https://host/openai', 'https://host/openai/v1'],
  ['https://host/openai', 'https://host/openai', 'https://host/openai/v1'],
])('%s is an address', (text, root, api) => {
  expect(addressOf(text)).toEqual({ url: api, root, api });
});

test.each([
  ['host:8000', 'no http or https address'],
  ['http://me:secret@host', 'holds a name or password'],
  ['http://host?key=secret', 'nothing may follow its path'],
])('%s is none, and what is secret in it is not repeated', (text, why) => {
  const error = thrown(() => addressOf(text));
  expect(error).toMatchObject({ code: 'bad_endpoint', message: expect.stringContaining(why) });
  expect(JSON.stringify(error)).not.toContain('secret');
  expect(error.message).not.toContain('secret');
});

function thrown(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('Nothing was thrown.');
}

test('the key goes with the request', async () => {
  const server = await scriptedServer({ '/v1/completions': ok });
  expect(await read([server.url], { key: 'k-1' })).toEqual([1, 2]);
  expect(server.asked[0]?.headers.authorization).toBe('Bearer k-1');
});

test('429, 502, 503 and 504 are tried again, after as long as the server says', async () => {
  const server = await scriptedServer({
    '/v1/completions': [status(503), status(502), status(504), status(429, {}, { 'retry-after': '0' }), ok],
  });
  let waited = 0;
  const clock = { now: () => waited++ * 1e6 };
  expect(await read([server.url], clock)).toEqual([1, 2]);
  expect(server.asked).toHaveLength(5);
});

test('it gives up in the end, with the status and the words of the server', async () => {
  const server = await scriptedServer({
    '/v1/completions': status(503, { error: { message: 'Loading the model' } }),
  });
  await expect(read([server.url], { retries: 1 })).rejects.toMatchObject({
    code: 'endpoint_failed',
    message: `${server.url}/v1: it answered 503: Loading the model`,
    details: { status: 503, reason: 'status' },
  });
  expect(server.asked).toHaveLength(2);
});

test('who is to wait for longer than a minute is told so instead', async () => {
  const server = await scriptedServer({
    '/v1/completions': status(429, 'slow down', { 'retry-after': '3600' }),
  });
  await expect(read([server.url])).rejects.toMatchObject({
    message: expect.stringContaining('429: slow down'),
    details: { retryAfter: 3_600_000 },
  });
  expect(server.asked).toHaveLength(1);
});

test.each([
  [400, { error: { message: 'bad field' } }, /answered 400: bad field$/],
  [401, { detail: 'who are you?' }, /answered 401: who are you\?\. It wants a key: --endpoint-key/],
  [404, { detail: [{ msg: 'no such model' }] }, /no such model.*Check the address and the name of the model/],
  [500, '<html>oops</html>', /answered 500$/],
])('%i is not tried again', async (code, body, message) => {
  const server = await scriptedServer({ '/v1/completions': status(code, body) });
  await expect(read([server.url])).rejects.toThrow(message);
  expect(server.asked).toHaveLength(1);
});

test('a server that repeats the key does not bring it into a message', async () => {
  const server = await scriptedServer({
    '/v1/completions': status(401, { error: { message: 'the key sk-12345 is wrong' } }),
  });
  const error = await read([server.url], { key: 'sk-12345' }).catch((one: unknown) => one);
  expect(error).toMatchObject({ message: expect.stringContaining('the key … is wrong. Check the key') });
  expect(JSON.stringify(error)).not.toContain('12345');
});

test('a prompt that is too long is the error that the loop knows', async () => {
  const words = 'request (40000 tokens) exceeds the available context size (4096 tokens)';
  const server = await scriptedServer({
    '/v1/completions': status(400, { error: { message: words, n_prompt_tokens: 40000, n_ctx: 4096 } }),
  });
  await expect(read([server.url])).rejects.toMatchObject({
    code: 'prompt_too_long',
    details: { promptTokens: 40000, contextSize: 4096 },
  });
});

test('what began to come is not asked for again: an answer that is cut off fails', async () => {
  const server = await scriptedServer({
    '/v1/completions': events([{ n: 1 }], response => setImmediate(() => response.destroy())),
  });
  await expect(read([server.url])).rejects.toMatchObject({ details: { reason: 'cut' } });
  expect(server.asked).toHaveLength(1);
});

test('an error in the stream has the words of the server', async () => {
  const server = await scriptedServer({
    '/v1/completions': events([{ n: 1 }, { error: { message: 'out of memory', code: 500 } }]),
  });
  await expect(read([server.url])).rejects.toMatchObject({
    message: expect.stringContaining('it broke its answer off: out of memory'),
    details: { status: 500 },
  });
});

test.each([
  ['no JSON', events([], response => response.end('data: {"n": \n\n')), /no JSON object: "\{\\"n\\": "/],
  ['no object', events([7]), /no JSON object: "7"/],
  ['no stream', json({ n: 1 }), /answered with application\/json and not with a stream of events/],
])('garbage is said to be: %s', async (_, answer, message) => {
  const server = await scriptedServer({ '/v1/completions': answer });
  await expect(read([server.url])).rejects.toThrow(message);
});

test('silence ends: before the first byte, and in the middle', async () => {
  const mute = await scriptedServer({ '/v1/completions': () => {} });
  await expect(read([mute.url], { timeouts: { firstByte: 50, idle: 60_000 } })).rejects.toMatchObject({
    message: expect.stringContaining('no answer within 0.05 s'),
    details: { reason: 'first_byte_timeout' },
  });
  const stuck = await scriptedServer({ '/v1/completions': events([{ n: 1 }], () => {}) });
  await expect(read([stuck.url], { timeouts: { firstByte: 60_000, idle: 50 } })).rejects.toMatchObject({
    details: { reason: 'idle_timeout' },
  });
  expect(mute.asked).toHaveLength(1);
});

test('an abort closes the request', async () => {
  const server = await scriptedServer({ '/v1/completions': events([{ n: 1 }], () => {}) });
  const stop = new AbortController();
  const client = createClient({ urls: [server.url] });
  const stream = client.stream(route, {}, { signal: stop.signal });
  await stream.next();
  stop.abort();
  await expect(stream.next()).rejects.toThrow();
  await expect.poll(() => server.left).toBe(1);
});

test('an abort ends the wait for an endpoint that rests', async () => {
  const server = await scriptedServer({ '/v1/completions': status(503, {}, { 'retry-after': '50' }) });
  const stop = new AbortController();
  const reading = read([server.url], {}, stop.signal);
  await expect.poll(() => server.asked.length).toBe(1);
  stop.abort();
  await expect(reading).rejects.toThrow();
});

test('an endpoint that is down is skipped, and tried again later', async () => {
  const up = await scriptedServer({ '/v1/completions': ok });
  const down = await nobody();
  let time = 0;
  const client = createClient({ urls: [down, up.url], now: () => time, random: () => 0 });
  const ask = async () => {
    for await (const _ of client.stream(route, {})) {
    }
  };
  await ask();
  await ask();
  expect(up.asked).toHaveLength(2);
  // It comes back where it was.
  const back = await scriptedServer({ '/v1/completions': ok }, Number(new URL(down).port));
  await ask();
  expect(back.asked).toHaveLength(0);
  time += 60_000;
  await ask();
  expect(back.asked).toHaveLength(1);
});

test('the least busy one is asked, and a lane stays where it was', async () => {
  const hold: (() => void)[] = [];
  const slow = events([{ n: 1 }], response => hold.push(() => response.end('data: [DONE]\n\n')));
  const servers = await Promise.all([1, 2].map(() => scriptedServer({ '/v1/completions': slow })));
  const client = createClient({ urls: servers.map(({ url }) => url) });
  const start = async (lane: string) => {
    const stream = client.stream(route, {}, { lane });
    await stream.next();
    return stream;
  };
  const open = [await start('a'), await start('b'), await start('c'), await start('d')];
  expect(servers.map(({ asked }) => asked.length)).toEqual([2, 2]);
  for (const end of hold.splice(0)) end();
  for (const stream of open) await stream.next();
  const again = await start('b');
  expect(servers.map(({ asked }) => asked.length)).toEqual([2, 3]);
  await again.return();
});

test('nothing listens there', async () => {
  await expect(read([await nobody()], { retries: 0 })).rejects.toThrow(
    /nothing listens there \(ECONNREFUSED\)/,
  );
});
