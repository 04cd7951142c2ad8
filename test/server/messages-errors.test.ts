/** What is wrong with a request of Anthropic's API, told in its own shape. */
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { add, clientOf, common, post, question } from './anthropic.ts';
import { namedEvents } from './events.ts';
import { failingEngine, writingEngine } from './recorded.ts';
import { practiceServer, startServer, type TestServer } from './server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await practiceServer();
});
afterAll(() => server.close());

const use = { type: 'tool_use', id: 'a', name: 'f', input: {} };
const result = { type: 'tool_result', tool_use_id: 'a', content: '1' };
const calls = { role: 'assistant', content: [use] };

test.each([
  [{}, 'messages'],
  [{ messages: [] }, 'messages'],
  [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
  [{ messages: [{ role: 'user', content: [{ type: 'image' }] }] }, 'messages[0].content[0]'],
  [{ messages: [question, { role: 'assistant', content: 'It is' }] }, 'messages[1].role'],
  [{ messages: [question, { role: 'user', content: [result] }] }, 'messages[1].content[0]'],
  [{ messages: [question, calls] }, 'messages[1].content[0]'],
  [{ messages: [question, calls, question] }, 'messages[1].content[0]'],
  [
    {
      messages: [question, { role: 'assistant', content: [use, use] }, { role: 'user', content: [result] }],
    },
    'messages[1].content[1]',
  ],
  [{ messages: [question, calls, { role: 'user', content: [result, result] }] }, 'messages[2].content[1]'],
  [
    { messages: [question, calls, { role: 'user', content: [{ type: 'text', text: 'x' }, result] }] },
    'messages[2].content[1]',
  ],
  [{ messages: [question], max_tokens: 0 }, 'max_tokens'],
  [{ messages: [question], temperature: 7 }, 'temperature'],
  [{ messages: [question], tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'tools[0].type'],
  [
    { messages: [question], tools: [{ name: 'x', input_schema: { type: 'array' } }] },
    'tools[0].input_schema',
  ],
  [{ messages: [question], tool_choice: { type: 'any' } }, 'no tools'],
  [{ messages: [question], tools: [add], tool_choice: { type: 'tool', name: 'fly' } }, 'fly'],
  [{ messages: [question], thinking: { type: 'much' } }, 'thinking.type'],
  [{ messages: [{ role: 'user', content: 'word '.repeat(5000) }] }, 'tokens'],
])('%j says what is wrong', async (body, words) => {
  for (const stream of [false, true]) {
    const response = await post(server, { ...body, stream });
    expect(response.status).toBe(400);
    const answer = (await response.json()) as { type: string; error: { type: string; message: string } };
    expect(answer).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect(answer.error.message).toContain(words);
  }
});

test('each kind is an error of the client’s own', async () => {
  const ask = { ...common, messages: [question] };
  await expect(clientOf(server).messages.create({ ...ask, model: 'claude' })).rejects.toMatchObject({
    status: 404,
    type: 'not_found_error',
  });
  const large = await post(server, { messages: [{ role: 'user', content: 'x'.repeat(17_000_000) }] });
  expect(large.status).toBe(413);
  expect(await large.json()).toMatchObject({ type: 'error', error: { type: 'request_too_large' } });

  const guarded = await startServer(recordedEngine(['Fine.']), { access: { key: 'secret' } });
  await expect(clientOf(guarded).messages.create(ask)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
  expect((await clientOf(guarded, 'secret').messages.create(ask)).content).toHaveLength(1);
  await guarded.close();

  const loading = await startServer(recordedEngine([]), { service: () => undefined });
  await expect(clientOf(loading).messages.create(ask)).rejects.toMatchObject({
    status: 503,
    type: 'overloaded_error',
  });
  await loading.close();
});

test('a full queue says when to come again', async () => {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const own = await startServer(
    writingEngine(async function* () {
      await held;
      yield { text: 'Done.' };
    }),
    { queue: 0 },
  );
  const stream = clientOf(own).messages.stream({ ...common, messages: [question] });
  await new Promise(resolve => stream.once('streamEvent', resolve));
  const error = await clientOf(own)
    .messages.create({ ...common, messages: [question] })
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(Anthropic.RateLimitError);
  expect(error).toMatchObject({ type: 'rate_limit_error' });
  expect(Number((error as { headers: Headers }).headers.get('retry-after'))).toBeGreaterThan(0);
  release();
  expect(await stream.finalText()).toBe('Done.');
  await own.close();
});

test('a failure in the middle of a stream is its last event, and says nothing of the machine', async () => {
  const failing = await startServer(failingEngine());
  const text = await post(failing, { messages: [question], stream: true }).then(answer => answer.text());
  const last = namedEvents(text).at(-1)!;
  expect(last).toMatchObject({ event: 'error', data: { type: 'error', error: { type: 'api_error' } } });
  expect(text).not.toContain('gguf');
  const read = clientOf(failing)
    .messages.stream({ ...common, messages: [question] })
    .finalMessage();
  await expect(read).rejects.toMatchObject({ type: 'api_error' });
  expect(failing.errors).toHaveLength(2);
  await failing.close();
});
