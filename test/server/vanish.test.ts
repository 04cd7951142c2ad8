/** Clients that go away, at any moment: what they held is given up, and others go on. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { eventStream } from '../../src/server/sse.ts';
import { practiceModel } from '../engine/practice.ts';
import { startServer, type TestServer } from './server.ts';

const parallel = 3;
const clients = 250;
let engine: LlamaEngine;
let server: TestServer;
beforeAll(async () => {
  engine = await openLlamaEngine({ model: practiceModel, contextSize: 512, gpu: 'off', parallel });
  server = await startServer(engine, { slots: parallel, queue: clients });
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

/** The same numbers at every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

function post(path: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}/v1/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

async function gauge(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^rawcall_requests_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

async function idle(): Promise<void> {
  while ((await gauge('running')) + (await gauge('waiting')) > 0) await wait(5);
}

/** It would go on for long. */
const endless = { grammar: 'root ::= [a-z] root', max_tokens: 100 };
const raw = (prompt: string, stream: boolean) => ({
  prompt,
  stream,
  max_tokens: endless.max_tokens,
  x_rawcall: { grammar: endless.grammar },
});
const chat = (content: string, stream: boolean) => ({
  messages: [{ role: 'user', content }],
  stream,
  max_tokens: endless.max_tokens,
});

test('a stream that is given up before it is read ends what it was made of', async () => {
  let ended = false;
  async function* events() {
    try {
      yield { data: 1 };
      yield { data: 2 };
    } finally {
      ended = true;
    }
  }
  const { body } = eventStream(events(), { keepAlive: 1000, onCancel: () => {} });
  await body!.cancel();
  expect(ended).toBe(true);
});

test('hundreds of them leave nothing behind', async () => {
  const random = randomNumbers(7);
  let served = 0;
  await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const stream = random() < 0.7;
      const gone = new AbortController();
      await wait(random() * 1500);
      // Some before they are answered, some amid the stream, some never.
      const patience = random() < 0.1 ? undefined : random() * 120;
      if (patience !== undefined) setTimeout(() => gone.abort(), patience);
      try {
        const body =
          random() < 0.5
            ? ['completions', raw(`Tell ${index}`, stream)]
            : ['chat/completions', chat(`Hi ${index}`, stream)];
        const response = await post(body[0] as string, body[1] as object, gone.signal);
        expect(response.status).toBe(200);
        await response.text();
        served++;
      } catch (error) {
        if (!gone.signal.aborted) throw error;
      }
    }),
  );
  expect(served).toBeGreaterThan(0);
  await idle();
  expect(server.errors).toEqual([]);
  // Every lane is there: as many as there are run at the same time, to the end.
  const others = await Promise.all(
    Array.from({ length: parallel }, (_, index) =>
      post('completions', { ...raw(`And ${index}`, false), max_tokens: 20 }),
    ),
  );
  for (const response of others) expect(response.status).toBe(200);
}, 120_000);

test('who waits behind one that vanished has its place', async () => {
  const gone = new AbortController();
  const held = await Promise.all(
    Array.from({ length: parallel }, (_, index) =>
      post('completions', { ...raw(`Hold ${index}`, true), max_tokens: 490 }, gone.signal),
    ),
  );
  expect(held.map(({ status }) => status)).toEqual(held.map(() => 200));
  const next = post('completions', { ...raw('Next', false), max_tokens: 5 });
  while ((await gauge('waiting')) === 0) await wait(5);
  expect(await gauge('running')).toBe(parallel);
  gone.abort();
  expect((await next).status).toBe(200);
  await idle();
});
