/** The chat endpoint, asked by OpenAI's own client over a socket. */
import OpenAI from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { practiceServer, startServer, type TestServer } from './server.ts';

const add: OpenAI.Chat.ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'math.add',
    description: 'Adds two numbers.',
    parameters: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  },
};
const question: OpenAI.Chat.ChatCompletionMessageParam = { role: 'user', content: 'What is 31 plus 11?' };

let server: TestServer;
let client: OpenAI;

beforeAll(async () => {
  server = await practiceServer();
  client = clientOf(server);
});
afterAll(() => server.close());

function clientOf({ url }: TestServer): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
}

test('a call, whole: the tool keeps the name that the client gave it', async () => {
  const answer = await client.chat.completions.create({
    model: 'practice',
    messages: [question],
    tools: [add],
  });
  const [choice] = answer.choices;
  expect(choice?.finish_reason).toBe('tool_calls');
  expect(choice?.message.content).toBeNull();
  const [call] = choice?.message.tool_calls ?? [];
  expect(call).toMatchObject({ type: 'function', function: { name: 'math.add' } });
  expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual({ a: 31, b: 11 });
  expect(answer.usage).toMatchObject({
    total_tokens: answer.usage!.prompt_tokens + answer.usage!.completion_tokens,
  });
});

test('the next step finds the prompt of the one before in the cache, whatever the client kept of the reply', async () => {
  const first = await client.chat.completions.create({
    model: 'practice',
    messages: [question],
    tools: [add],
  });
  const reply = first.choices[0]!.message;
  const second = await client.chat.completions.create({
    model: 'practice',
    tools: [add],
    messages: [
      question,
      { role: 'assistant', content: null, tool_calls: reply.tool_calls! },
      { role: 'tool', tool_call_id: reply.tool_calls![0]!.id, content: '42' },
    ],
  });
  expect(second.choices[0]?.message.content).toContain('42');
  const { prompt_tokens_details: details } = second.usage!;
  expect(details?.cached_tokens).toBeGreaterThanOrEqual(
    first.usage!.prompt_tokens + first.usage!.completion_tokens - 2,
  );
});

test('streamed: id, type and name once, arguments as they come, and the usage only where it is asked for', async () => {
  const body = { model: 'practice', messages: [question], tools: [add], stream: true };
  const text = await post('/v1/chat/completions', body).then(response => response.text());
  const lines = text.split('\n\n').filter(line => line !== '');
  expect(lines.at(-1)).toBe('data: [DONE]');
  const chunks = lines.slice(0, -1).map(line => JSON.parse(line.replace(/^data: /, '')));
  expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '', refusal: null });
  const deltas = chunks.flatMap(chunk => chunk.choices[0].delta.tool_calls ?? []);
  expect(deltas.filter(delta => 'id' in delta || delta.function.name !== undefined)).toEqual([deltas[0]]);
  expect(deltas[0]).toEqual({
    index: 0,
    id: expect.any(String),
    type: 'function',
    function: { name: 'math.add', arguments: '' },
  });
  expect(deltas.length).toBeGreaterThan(3);
  expect(JSON.parse(deltas.map(delta => delta.function.arguments).join(''))).toEqual({ a: 31, b: 11 });
  expect(chunks.at(-1).choices[0]).toMatchObject({ delta: {}, finish_reason: 'tool_calls' });
  expect(new Set(chunks.map(chunk => chunk.id)).size).toBe(1);
  expect(chunks.some(chunk => 'usage' in chunk)).toBe(false);

  const stream = client.chat.completions.stream({
    model: 'practice',
    messages: [question],
    tools: [add],
    stream_options: { include_usage: true },
  });
  const usage = await stream.totalUsage();
  expect(usage.completion_tokens).toBeGreaterThan(5);
});

test('the client runs its tools until there is an answer', async () => {
  const sum = ({ a, b }: { a: number; b: number }) => String(a + b);
  const runnable = {
    ...add.function,
    parameters: add.function.parameters as object,
    parse: JSON.parse,
    function: sum,
  };
  const runner = client.chat.completions.runTools({
    model: 'practice',
    messages: [question],
    tools: [{ type: 'function', function: runnable } as never],
  });
  expect(await runner.finalContent()).toContain('42');
});

describe('tool_choice', () => {
  const hello = { role: 'user', content: 'Hello!' } as const;
  const other = {
    type: 'function',
    function: { name: 'wave', parameters: { type: 'object', additionalProperties: false } },
  } as const;
  const ask = async (choice: OpenAI.Chat.ChatCompletionToolChoiceOption, message = hello) => {
    const { choices } = await client.chat.completions.create({
      model: 'practice',
      messages: [message],
      tools: [add, other],
      tool_choice: choice,
    });
    return choices[0]!.message.tool_calls?.map(call => call.type === 'function' && call.function.name);
  };

  test('none: no call is made, whatever the question', async () => {
    expect(await ask('none', question as never)).toBeUndefined();
  });

  test('required, a named tool and allowed tools hold the model to them', async () => {
    expect((await ask('required'))?.length).toBeGreaterThan(0);
    expect(new Set(await ask({ type: 'function', function: { name: 'wave' } }))).toEqual(new Set(['wave']));
    const allowed = { mode: 'required', tools: [{ type: 'function', function: { name: 'wave' } }] } as const;
    expect(
      new Set(await ask({ type: 'allowed_tools', allowed_tools: allowed as never }, question as never)),
    ).toEqual(new Set(['wave']));
  });

  test('a tool that is not there is refused', async () => {
    await expect(ask({ type: 'function', function: { name: 'fly' } })).rejects.toMatchObject({
      status: 400,
      param: 'tool_choice',
    });
  });
});

test('parallel_tool_calls: false gives one call', async () => {
  const call = (name: string) =>
    `<tool_call>\n{"name": "${name}", "arguments": {"a": 1, "b": 2}}\n</tool_call>\n`;
  const written = call('math_add') + call('math_add');
  const pieces = [...written].map(text => ({ text }));
  const recorded = await startServer(recordedEngine([pieces, pieces]));
  const ask = async (parallel: boolean) => {
    const { choices } = await clientOf(recorded).chat.completions.create({
      model: 'practice',
      messages: [question],
      tools: [add],
      parallel_tool_calls: parallel,
    });
    return choices[0]!.message.tool_calls?.length;
  };
  expect(await ask(true)).toBe(2);
  expect(await ask(false)).toBe(1);
  await recorded.close();
});

describe('response_format', () => {
  test('the client’s parse gives back what the schema says, and the arguments of a strict tool', async () => {
    const sum = await client.chat.completions.parse({
      model: 'practice',
      messages: [question],
      response_format: zodResponseFormat(z.object({ sum: z.int() }), 'answer'),
    });
    expect(Object.keys(sum.choices[0]!.message.parsed!)).toEqual(['sum']);
    const { choices } = await client.chat.completions.parse({
      model: 'practice',
      messages: [question],
      tools: [zodFunction({ name: 'add', parameters: z.object({ a: z.number(), b: z.number() }) })],
    });
    expect(choices[0]!.message.tool_calls?.[0]?.function.parsed_arguments).toEqual({ a: 31, b: 11 });
  });

  test('JSON of the schema, whatever the model would have said', async () => {
    const { choices } = await client.chat.completions.create({
      model: 'practice',
      messages: [question],
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'answer',
          schema: {
            type: 'object',
            properties: { sum: { type: 'integer' } },
            required: ['sum'],
            additionalProperties: false,
          },
        },
      },
    });
    expect(Object.keys(JSON.parse(choices[0]!.message.content!))).toEqual(['sum']);
  });

  test('json_object', async () => {
    const { choices } = await client.chat.completions.create({
      model: 'practice',
      messages: [question],
      max_tokens: 300,
      temperature: 1,
      seed: 3,
      response_format: { type: 'json_object' },
    });
    if (choices[0]?.finish_reason === 'stop')
      expect(typeof JSON.parse(choices[0]!.message.content!)).toBe('object');
    else expect(choices[0]!.message.content).toMatch(/^\{/);
  });
});

describe('what the model wrote', () => {
  const ask = async (
    completion: string,
    body: Partial<OpenAI.Chat.ChatCompletionCreateParamsNonStreaming> = {},
  ) => {
    const recorded = await startServer(recordedEngine([completion]));
    try {
      const { choices } = await clientOf(recorded).chat.completions.create({
        model: 'practice',
        messages: [question],
        tools: [add],
        ...body,
      });
      expect(recorded.errors).toEqual([]);
      return choices[0]!;
    } finally {
      await recorded.close();
    }
  };

  test('thoughts are reasoning_content, unless they are not wanted', async () => {
    const completion = '<think>\nEasy.\n</think>\n\nIt is 42.';
    expect((await ask(completion)).message).toMatchObject({
      content: 'It is 42.',
      reasoning_content: 'Easy.',
    });
    const without = await ask(completion, { include_reasoning: false } as object);
    expect(without.message).toMatchObject({ content: 'It is 42.' });
    expect(without.message).not.toHaveProperty('reasoning_content');
  });

  test('a call of a tool that there is not comes out as text', async () => {
    const completion = 'I do.\n<tool_call>\n{"name": "fly", "arguments": {}}\n</tool_call>';
    const { message, finish_reason } = await ask(completion);
    expect(message.tool_calls).toBeUndefined();
    expect(message.content).toContain('"fly"');
    expect(finish_reason).toBe('stop');
  });

  test('arguments that do not fit are the client’s to judge', async () => {
    const completion = '<tool_call>\n{"name": "math_add", "arguments": {"a": "many", "b": 2}}\n</tool_call>';
    const { message, finish_reason } = await ask(completion);
    expect(message.tool_calls?.[0]).toMatchObject({ function: { arguments: '{"a":"many","b":2}' } });
    expect(finish_reason).toBe('tool_calls');
  });
});

describe('errors', () => {
  test.each([
    [{ messages: 'hi' }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages[0]'],
    [{ messages: [question], temperature: 7 }, 'temperature'],
    [{ messages: [question], n: 2 }, 'n'],
    [{ messages: [question], stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    [{ messages: [question], response_format: { type: 'xml' } }, 'response_format'],
    [{ messages: [question], tools: [{ type: 'function', function: {} }] }, 'tools[0]'],
    [{ messages: [question], tools: [add], tool_choice: 'any' }, 'tool_choice'],
    [
      {
        messages: [question],
        tools: [add],
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } },
      },
      'tool_choice',
    ],
    [{ messages: [question], tool_choice: 'required' }, 'tool_choice'],
    [{ messages: [question, { role: 'tool', tool_call_id: 'x', content: '1' }] }, 'messages[1]'],
    [
      {
        messages: [
          question,
          {
            role: 'assistant',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          question,
        ],
      },
      'messages[1]',
    ],
  ])('%j names %s', async (body, param) => {
    const response = await post('/v1/chat/completions', body);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ type: 'invalid_request_error', param });
    // A client that reads it knows what to send.
    expect(error.message).not.toMatch(/^$|Invalid input$/);
  });

  test('no JSON, an unknown model, an unknown address, a body that is too large', async () => {
    const plain = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: '{' });
    expect(plain.status).toBe(400);
    await expect(
      client.chat.completions.create({ model: 'gpt-9', messages: [question] }),
    ).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    expect(await fetch(`${server.url}/v1/nothing`).then(response => response.json())).toMatchObject({
      error: { code: 'unknown_url' },
    });
    expect((await post('/v1/embeddings', { input: 'x' })).status).toBe(501);
    const large = await post('/v1/chat/completions', {
      messages: [{ role: 'user', content: 'x'.repeat(17_000_000) }],
    });
    expect(large.status).toBe(413);
  });

  test('a prompt that the context cannot hold', async () => {
    const long = { role: 'user', content: 'word '.repeat(5000) } as const;
    for (const stream of [false, true]) {
      const response = await post('/v1/chat/completions', { messages: [long], stream });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'context_length_exceeded' } });
    }
  });

  test('what fails in the machine says nothing of it', async () => {
    const broken = await startServer(recordedEngine([]));
    const response = await fetch(`${broken.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ messages: [question] }),
    });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { type: 'server_error' } });
    expect(broken.errors).toHaveLength(1);
    await broken.close();
  });
});

test('calls and results without ids, or with empty ones, are told apart by their places', async () => {
  const call = (name: string) => ({ id: '', type: 'function', function: { name, arguments: '{}' } });
  const messages = [
    question,
    { role: 'assistant', content: null, tool_calls: [call('first'), call('second')] },
    { role: 'tool', tool_call_id: '', content: 'one' },
    { role: 'tool', content: 'two' },
  ];
  const response = await post('/v1/rawcall/render', { messages });
  const { text } = (await response.json()) as { text: string };
  expect(text.indexOf('one')).toBeLessThan(text.indexOf('two'));
  const half = await post('/v1/rawcall/render', { messages: [...messages.slice(0, 3), question] });
  expect(await half.json()).toMatchObject({ error: { param: 'messages[1]' } });
});

test('the models', async () => {
  const { data } = await client.models.list();
  expect(data.map(({ id }) => id)).toEqual(['practice']);
  expect(await client.models.retrieve('practice')).toMatchObject({ object: 'model' });
});

function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
}
