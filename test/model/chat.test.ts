/** The model over a chat API: our own server, and endpoints that do what some do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../parsers/parser.ts';
import { createAgent } from '../../src/agent/agent.ts';
import { approval } from '../../src/agent/approval.ts';
import { openEndpoint } from '../../src/engine/endpoint.ts';
import { type ChatModelOptions, chatModel } from '../../src/model/chat.ts';
import { chatNames } from '../../src/model/chat-names.ts';
import type { Model, TurnEvent, TurnOptions, TurnResult } from '../../src/model/model.ts';
import type { Message } from '../../templates/template.ts';
import { type Answer, events, models, scriptedServer } from '../engine/endpoint/scripted-server.ts';
import { practiceServer, type TestServer } from '../server/server.ts';

const add: ToolDefinition = {
  name: 'math.add',
  description: 'Adds two numbers.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
};
const asked: Message = { role: 'user', content: 'What is 31 plus 11?' };
const route = '/v1/chat/completions';

async function modelAt(url: string, options?: ChatModelOptions): Promise<Model> {
  return chatModel(await openEndpoint({ urls: [url], retries: 0 }), options);
}

interface Taken {
  readonly events: readonly TurnEvent[];
  readonly result: TurnResult;
}

async function take(
  model: Model,
  options: Partial<TurnOptions> = {},
  {
    messages = [asked],
    tools = [add],
  }: { messages?: readonly Message[]; tools?: readonly ToolDefinition[] } = {},
): Promise<Taken> {
  const turn = model.turn(model.render({ messages, tools }), { purpose: 'decision', ...options });
  const seen: TurnEvent[] = [];
  for (;;) {
    const step = await turn.next();
    if (step.done) return { events: seen, result: step.value };
    seen.push(step.value);
  }
}

const textOf = (seen: readonly TurnEvent[], type: 'text-delta' | 'reasoning-delta') =>
  seen.map(event => (event.type === type ? event.text : '')).join('');

describe('our own server', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await practiceServer();
  });
  afterAll(() => server.close());

  test('a run: the call of a tool with a dot in its name, its result, the answer', async () => {
    const agent = createAgent({
      model: await modelAt(server.url),
      tools: {
        tools: [add],
        call: async (name, { a, b }) => ({
          content: `${name === 'math.add' && Number(a) + Number(b)}`,
          isError: false,
        }),
      },
      approve: approval({ mode: 'auto' }),
    });
    const seen = [];
    for await (const event of agent.run('What is 31 plus 11?')) seen.push(event);
    const deltas = seen.flatMap(event => (event.type === 'call-delta' ? [event.argumentsText] : []));
    const ended = seen.find(event => event.type === 'call-end');
    expect(ended?.call).toMatchObject({ name: 'math.add', arguments: { a: 31, b: 11 } });
    expect(deltas.join('')).toBe(ended?.call.argumentsText);
    expect(seen.at(-1)).toMatchObject({ type: 'run-end', reason: 'answered', toolRuns: 1 });
    expect(seen.at(-1)).toHaveProperty('answer', expect.stringContaining('42'));
    const usages = seen.filter(event => event.type === 'usage');
    expect(usages).toHaveLength(2);
    for (const { prompt, reused, evaluated, generated } of usages) {
      expect(evaluated).toBe(prompt - reused);
      expect(Math.min(prompt, generated)).toBeGreaterThan(0);
    }
  });

  test('a call that is required is made, whatever was said', async () => {
    const messages: Message[] = [{ role: 'user', content: 'Hello!' }];
    const { result } = await take(await modelAt(server.url), { constrain: 'required' }, { messages });
    expect(result.calls.map(({ name }) => name)).toEqual(['math.add']);
  });

  test('a turn that is aborted stops the generation there', async () => {
    const stop = new AbortController();
    const before = server.ends.length;
    const model = await modelAt(server.url);
    const turn = model.turn(model.render({ messages: [asked], tools: [add] }), {
      purpose: 'decision',
      signal: stop.signal,
    });
    let step = await turn.next();
    while (!step.done) {
      if (step.value.type === 'call-start') stop.abort();
      step = await turn.next();
    }
    expect(step.value).toMatchObject({ reason: 'aborted', calls: [] });
    await expect.poll(() => server.ends.length).toBe(before + 1);
  });
});

/** Chunks of a chat stream. */
const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const call = (index: number, rest: object, id?: string) =>
  chunk({ tool_calls: [{ index, ...(id ? { id } : {}), function: rest }] });

async function answering(...chunks: readonly object[]) {
  const server = await scriptedServer({ '/v1/models': models(), [route]: events(chunks) });
  return { server, model: await modelAt(server.url) };
}

test('what is sent: names without dots, the tools of the turn, and the calls and thoughts of this question', async () => {
  const { server, model } = await answering(chunk({ content: 'ok' }, 'stop'));
  const other = { ...add, name: 'math_add' };
  const callOf = (id: string) => ({ id, name: 'math.add', arguments: { a: 1 }, argumentsText: '{"a":1.0}' });
  const messages: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'One' },
    { role: 'assistant', content: '', reasoning: 'old', toolCalls: [callOf('c1')] },
    { role: 'tool', callId: 'c1', name: 'math.add', content: '1' },
    { role: 'assistant', content: 'It is 1.' },
    { role: 'user', content: 'Two' },
    { role: 'assistant', content: 'Well', reasoning: 'new', toolCalls: [callOf('c2')] },
    { role: 'tool', callId: 'c2', name: 'math.add', content: '2' },
  ];
  await take(
    model,
    {
      constrain: 'required',
      only: ['math.add'],
      parallel: false,
      maxTokens: 5,
      stop: ['.'],
      sampling: { topK: 3 },
    },
    { messages, tools: [add, other] },
  );
  const sent = (id: string, content: string | null, thought: object = {}) => ({
    role: 'assistant',
    content,
    ...thought,
    tool_calls: [{ id, type: 'function', function: { name: 'math_add_2', arguments: '{"a":1.0}' } }],
  });
  expect(server.of(route)[0]?.body).toEqual({
    model: 'the-model',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One' },
      sent('c1', null),
      { role: 'tool', tool_call_id: 'c1', name: 'math_add_2', content: '1' },
      { role: 'assistant', content: 'It is 1.' },
      { role: 'user', content: 'Two' },
      sent('c2', 'Well', { reasoning_content: 'new' }),
      { role: 'tool', tool_call_id: 'c2', name: 'math_add_2', content: '2' },
    ],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    top_k: 3,
    max_tokens: 5,
    stop: ['.'],
    tools: [
      {
        type: 'function',
        function: { name: 'math_add_2', description: 'Adds two numbers.', parameters: add.inputSchema },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'math_add_2' } },
    parallel_tool_calls: false,
  });
});

test('names: each has its own way there and back', () => {
  const names = ['a.b', 'a_b', 'a/b', 'ä', 'x'.repeat(80), `${'x'.repeat(80)}y`, 'plain-1'];
  const map = chatNames({ messages: [], tools: names.map(name => ({ name, inputSchema: true })) });
  const sent = names.map(map.toApi);
  expect(new Set(sent).size).toBe(names.length);
  expect(sent.every(name => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
  expect(sent.map(map.fromApi)).toEqual(names);
  expect(map.fromApi('never_offered')).toBe('never_offered');
});

test('two calls in pieces, with text and thoughts before them and no arguments in one', async () => {
  const { model } = await answering(
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning: 'Hm. ' }),
    chunk({ reasoning_content: 'Two.' }),
    chunk({ content: 'I call <tool_call> now.' }),
    call(0, { name: 'math_add', arguments: '' }, 'c1'),
    call(0, { arguments: '{"a": 3' }),
    call(0, { arguments: '1, "b": 1e2}' }),
    call(1, { name: 'list', arguments: '' }, 'c2'),
    chunk({}, 'tool_calls'),
  );
  const list: ToolDefinition = { name: 'list', inputSchema: { type: 'object', properties: {} } };
  const { events: seen, result } = await take(model, {}, { tools: [add, list] });
  expect(textOf(seen, 'reasoning-delta')).toBe('Hm. Two.');
  expect(result.message).toMatchObject({ content: 'I call <tool_call> now.', reasoning: 'Hm. Two.' });
  expect(result.message).not.toHaveProperty('completion');
  expect(result.calls).toEqual([
    {
      id: 'c1',
      name: 'math.add',
      arguments: { a: 31, b: 100 },
      argumentsText: expect.stringMatching(/31.*1e2/),
    },
    { id: 'c2', name: 'list', arguments: {}, argumentsText: '{}' },
  ]);
  expect(result.reason).toBe('stop');
});

test.each([
  ['arguments that do not fit the schema', 'math_add', '{"a": "x", "b": 2}', 'bad_arguments'],
  ['arguments that are no JSON', 'math_add', '{"a": 1, b = 2', undefined],
  ['a tool that is not there', 'subtract', '{}', 'unknown_tool'],
])('a call that must not run is told like any other: %s', async (_, name, args, problem) => {
  const { model } = await answering(call(0, { name, arguments: args }, 'c1'), chunk({}, 'tool_calls'));
  const { events: seen, result } = await take(model);
  expect(result.calls).toEqual([]);
  expect(result.failed).toHaveLength(1);
  if (problem) expect(result.failed[0]?.problem).toBe(problem);
  expect(seen).toContainEqual(expect.objectContaining({ type: 'call-failed', message: expect.any(String) }));
});

test('a call that was cut by the token limit does not run', async () => {
  const { model } = await answering(
    call(0, { name: 'math_add', arguments: '{"a": 31, "b": 1' }, 'c1'),
    chunk({}, 'length'),
  );
  const { result } = await take(model);
  expect(result).toMatchObject({ reason: 'length', calls: [], failed: [{ problem: 'truncated' }] });
});

test('a call that the endpoint took for text is read where the reply is nothing else', async () => {
  const text = '{"name": "math.add", "arguments": {"a": 1, "b": 2}}';
  const { model } = await answering(
    chunk({ content: text.slice(0, 20) }),
    chunk({ content: text.slice(20) }, 'stop'),
  );
  const { events: seen, result } = await take(model);
  expect(result.calls).toMatchObject([{ name: 'math.add', arguments: { a: 1, b: 2 } }]);
  expect(seen).toContainEqual(expect.objectContaining({ type: 'repaired', repair: 'bare-call' }));
});

test('ids that an endpoint gives again are not taken again', async () => {
  const answer = () => [
    call(0, { name: 'math_add', arguments: '{"a":1,"b":2}' }, 'call_0'),
    chunk({}, 'tool_calls'),
  ];
  const { model } = await answering(...answer());
  const first = await take(model);
  const messages = [
    asked,
    first.result.message,
    { role: 'tool', callId: 'call_0', name: 'math.add', content: '3' } as const,
  ];
  const second = await take(model, { callId: () => 'ours' }, { messages });
  expect([first, second].map(({ result }) => result.calls[0]?.id)).toEqual(['call_0', 'ours']);
});

test('one call is enough where calls are not to be parallel, whatever the endpoint sends', async () => {
  const args = { name: 'math_add', arguments: '{"a":1,"b":2}' };
  const { model } = await answering(call(0, args, 'c1'), call(1, args, 'c2'), chunk({}, 'tool_calls'));
  const { result } = await take(model, { parallel: false });
  expect(result).toMatchObject({ calls: [{ id: 'c1' }], failed: [] });
});

test.each<[string, Answer, RegExp]>([
  ['cut off', events([chunk({ content: 'a' })]), /ended before it was finished/],
  [
    'calls that go on after the next one began',
    events([
      call(0, { name: 'math_add', arguments: '{"a":' }, 'c1'),
      call(1, { name: 'math_add', arguments: '{"a":' }, 'c2'),
      call(0, { arguments: '1}' }),
    ]),
    /went on with call 0/,
  ],
])('an answer that cannot be read is an error: %s', async (_, answer, message) => {
  const server = await scriptedServer({ '/v1/models': models(), [route]: answer });
  await expect(take(await modelAt(server.url))).rejects.toThrow(message);
});

test('a schema for the reply, and one that tools are shown with', async () => {
  const server = await scriptedServer({
    '/v1/models': models(),
    [route]: events([chunk({ content: '{}' }, 'stop')]),
  });
  const model = await modelAt(server.url, { shown: tool => ({ ...tool, inputSchema: { type: 'object' } }) });
  await take(model, { output: { type: 'object' } });
  expect(server.of(route)[0]?.body).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } },
    tools: [{ function: { parameters: { type: 'object' } } }],
  });
});
