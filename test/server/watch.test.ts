/** What is counted, and what a log of chats has. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import type { ChatRecord } from '../../src/server/watch.ts';
import { promptText } from '../../templates/prompt.ts';
import { practiceModel } from '../engine/practice.ts';
import { startServer, type TestServer } from './server.ts';

let engine: LlamaEngine;
let server: TestServer;
const records: ChatRecord[] = [];
beforeAll(async () => {
  engine = await openLlamaEngine({ model: practiceModel, contextSize: 1024, gpu: 'off' });
  server = await startServer(engine, {
    onChat: record => records.push(record),
    access: { key: 'a-secret' },
  });
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

const authorization = 'Bearer a-secret';
const messages = [{ role: 'user', content: 'Hello!' }];
function post(path: string, body: string): Promise<Response> {
  return fetch(`${server.url}${path}`, { method: 'POST', body, headers: { authorization } });
}
async function metrics(): Promise<Map<string, number>> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization } });
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  for (const line of lines) expect(line).toMatch(/^rawcall_\w+(\{[^}]*\})? [\d.e+-]+$/);
  return new Map(lines.map(line => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]));
}

test('requests by endpoint and status, tokens, and times that add up', async () => {
  const before = await metrics();
  const chat = '/v1/chat/completions';
  const whole = await post(chat, JSON.stringify({ messages, max_tokens: 8 }));
  const { usage } = (await whole.json()) as {
    usage: {
      prompt_tokens: number;
      completion_tokens: number;
      prompt_tokens_details: { cached_tokens: number };
    };
  };
  await (await post(chat, JSON.stringify({ messages, max_tokens: 8, stream: true }))).text();
  await post(chat, '{');
  await fetch(`${server.url}/v1/models`);
  await post('/v1/x/whatever-somebody-asks-for', '{}');
  const after = await metrics();
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const requests = (endpoint: string, status: number) =>
    grown(`rawcall_requests_total{endpoint="${endpoint}",status="${status}"}`);
  expect(requests(chat, 200)).toBe(2);
  expect(requests(chat, 400)).toBe(1);
  expect(requests('other', 401) + requests('/v1/models', 401)).toBe(1);
  expect(requests('other', 404)).toBe(1);
  expect(grown('rawcall_prompt_tokens_total')).toBe(2 * usage.prompt_tokens);
  expect(grown('rawcall_generated_tokens_total')).toBe(2 * usage.completion_tokens);
  expect(grown('rawcall_cached_tokens_total')).toBe(
    usage.prompt_tokens_details.cached_tokens + usage.prompt_tokens - 1,
  );
  expect(grown('rawcall_time_to_first_token_seconds_count')).toBe(2);
  expect(grown('rawcall_time_to_first_token_seconds_bucket{le="+Inf"}')).toBe(2);
  expect(grown(`rawcall_request_duration_seconds_count{endpoint="${chat}"}`)).toBe(3);
  expect(grown(`rawcall_request_duration_seconds_sum{endpoint="${chat}"}`)).toBeGreaterThanOrEqual(
    grown('rawcall_time_to_first_token_seconds_sum'),
  );
  expect(after.get('rawcall_requests_running')).toBe(0);
  expect(after.get('rawcall_requests_waiting')).toBe(0);
  const buckets = [...after].filter(([name]) =>
    name.startsWith('rawcall_time_to_first_token_seconds_bucket'),
  );
  expect(buckets.map(([, count]) => count)).toEqual(
    buckets.map(([, count]) => count).sort((left, right) => left - right),
  );
});

test('a chat is logged as it was: the request, the prompt, the raw completion and every byte that was sent', async () => {
  records.length = 0;
  const body = `{ "messages": ${JSON.stringify(messages)}, "max_tokens": 8 }`;
  const whole = await (await post('/v1/chat/completions', body)).text();
  const streaming = JSON.stringify({ prompt: 'a', max_tokens: 3, stream: true });
  const streamed = await (await post('/v1/completions', streaming)).text();
  await post('/v1/chat/completions', '{');
  await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body });
  expect(records).toHaveLength(3);
  const [chat, raw, broken] = records;
  expect(chat).toMatchObject({ path: '/v1/chat/completions', status: 200, request: body, sent: whole });
  const [turn] = chat!.turns;
  expect(promptText(turn!.prompt)).toContain('<|im_start|>user\nHello!<|im_end|>');
  expect(turn!.completion!.pieces.flatMap(({ tokens }) => tokens)).toHaveLength(turn!.usage!.generated);
  expect(raw).toMatchObject({ request: streaming, sent: streamed, status: 200 });
  expect(raw!.turns[0]).toMatchObject({
    prompt: [{ text: 'a', origin: 'user' }],
    usage: { generated: 3 },
  });
  expect(broken).toMatchObject({ status: 400, request: '{', turns: [] });
  expect(JSON.stringify(records)).not.toContain('a-secret');
});

test('a stream that its client leaves is logged with what it was sent', async () => {
  records.length = 0;
  const response = await post(
    '/v1/completions',
    JSON.stringify({
      prompt: 'a',
      max_tokens: 900,
      stream: true,
      x_rawcall: { grammar: 'root ::= "ab"+' },
    }),
  );
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  while (records.length === 0) await new Promise(resolve => setTimeout(resolve, 20));
  expect(records[0]!.turns).toHaveLength(1);
  expect(records[0]!.sent.startsWith(new TextDecoder().decode(value))).toBe(true);
  expect(records[0]!.sent).not.toContain('[DONE]');
});
