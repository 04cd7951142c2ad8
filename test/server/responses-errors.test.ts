/** What is wrong with a request of the Responses API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { namedEvents } from './events.ts';
import { failingEngine } from './recorded.ts';
import { practiceServer, startServer, type TestServer } from './server.ts';

const add = { type: 'function', name: 'add', parameters: { type: 'object' } };
const question = 'What is 31 plus 11?';

let server: TestServer;

beforeAll(async () => {
  server = await practiceServer();
});
afterAll(() => server.close());

function post(body: object, { url } = server): Promise<Response> {
  return fetch(`${url}/v1/responses`, { method: 'POST', body: JSON.stringify(body) });
}

const user = { role: 'user', content: question };
const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'a', output: '1' };

test.each([
  [{}, 'input'],
  [{ input: [] }, 'input'],
  [{ input: [{ role: 'robot', content: 'x' }] }, 'input[0]'],
  [{ input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] }, 'input[0]'],
  [{ input: [user, { type: 'web_search_call' }] }, 'input[1]'],
  [{ input: [user, { type: 'item_reference', id: 'msg_1' }] }, 'input[1]'],
  [{ input: [user, output] }, 'input[1]'],
  [{ input: [user, call] }, 'input[1]'],
  [{ input: [user, call, user] }, 'input[1]'],
  [{ input: [user, call, call, output] }, 'input[2]'],
  [{ input: [user, call, output, output] }, 'input[3]'],
  [{ input: [user, { ...call, arguments: '{' }, output] }, 'input[1]'],
  [{ input: question, previous_response_id: 'resp_1' }, 'previous_response_id'],
  [{ input: question, conversation: 'conv_1' }, 'conversation'],
  [{ input: question, background: true }, 'background'],
  [{ input: question, max_output_tokens: 0 }, 'max_output_tokens'],
  [{ input: question, tools: [{ type: 'web_search' }] }, 'tools[0]'],
  [{ input: question, tools: [add], tool_choice: { type: 'function', name: 'fly' } }, 'tool_choice'],
  [{ input: question, tools: [add], tool_choice: { type: 'mcp' } }, 'tool_choice'],
  [{ input: question, text: { format: { type: 'xml' } } }, 'text.format.type'],
])('%j names %s', async (body, param) => {
  for (const stream of [false, true]) {
    const response = await post({ ...body, stream });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ type: 'invalid_request_error', param });
    expect(error.message).toContain(' ');
  }
});

test('a prompt that the context cannot hold', async () => {
  const response = await post({ input: 'word '.repeat(5000), stream: true });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { code: 'context_length_exceeded', param: 'input' },
  });
});

test('previous_response_id is told why, and store is taken', async () => {
  const { error } = (await post({ input: question, previous_response_id: 'resp_1' }).then(answer =>
    answer.json(),
  )) as { error: { message: string } };
  expect(error.message).toContain('not stored');
  const answer = await post({ input: 'Hello!', store: true, max_output_tokens: 4 });
  expect(await answer.json()).toMatchObject({ store: false });
});

test('a failure in the middle of a stream is its last event, and says nothing of the machine', async () => {
  const failing = await startServer(failingEngine());
  const events = namedEvents(
    await post({ input: question, stream: true }, failing).then(answer => answer.text()),
  );
  const last = events.at(-1)!;
  expect(last.event).toBe('response.failed');
  expect(last.data.sequence_number).toBe(events.length - 1);
  expect(last.data.response).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
  expect(JSON.stringify(last)).not.toContain('gguf');
  expect(failing.errors).toHaveLength(1);
  await failing.close();
});
