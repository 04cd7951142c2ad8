/** The Responses API, asked by OpenAI's own client over a socket, and its streams byte by byte. */
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { type RecordedCompletion, recordedEngine } from '../../src/engine/recorded.ts';
import { practiceModel } from '../engine/practice.ts';
import { namedEvents } from './events.ts';
import { startServer, type TestServer } from './server.ts';

const add: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'math.add',
  description: 'Adds two numbers.',
  strict: true,
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
};
const wave: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'wave',
  strict: false,
  parameters: { type: 'object', additionalProperties: false },
};
const question = 'What is 31 plus 11?';
const model = 'practice';

let engine: LlamaEngine;
let server: TestServer;
let client: OpenAI;

beforeAll(async () => {
  engine = await openLlamaEngine({ model: practiceModel, contextSize: 2048, gpu: 'off' });
  server = await startServer(engine);
  client = clientOf(server);
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

function clientOf({ url }: TestServer): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
}

function post(body: object, { url } = server): Promise<Response> {
  return fetch(`${url}/v1/responses`, { method: 'POST', body: JSON.stringify(body) });
}

/** A server that gives these completions out, in letters. */
async function recorded<Result>(
  completions: readonly (string | RecordedCompletion)[],
  use: (server: TestServer) => Promise<Result>,
): Promise<Result> {
  const pieces = completions.map(one => (typeof one === 'string' ? [...one].map(text => ({ text })) : one));
  const own = await startServer(recordedEngine(pieces));
  try {
    const result = await use(own);
    expect(own.errors).toEqual([]);
    return result;
  } finally {
    await own.close();
  }
}

function callsIn({ output }: OpenAI.Responses.Response): OpenAI.Responses.ResponseFunctionToolCall[] {
  return output.flatMap(item => (item.type === 'function_call' ? [item] : []));
}

describe('a conversation', () => {
  test('a text in, a call out, its result in, the answer out, and the cache is found again', async () => {
    const first = await client.responses.create({ model, input: question, tools: [add] });
    expect(first).toMatchObject({
      id: expect.stringMatching(/^resp_\w+$/),
      object: 'response',
      status: 'completed',
      error: null,
      incomplete_details: null,
      store: false,
      previous_response_id: null,
      tools: [add],
      tool_choice: 'auto',
    });
    expect(first.output).toHaveLength(1);
    const [call] = callsIn(first);
    expect(call).toMatchObject({ name: 'math.add', status: 'completed' });
    expect(call!.id).toMatch(/^fc_/);
    expect(call!.call_id).toMatch(/^call_/);
    expect(JSON.parse(call!.arguments)).toEqual({ a: 31, b: 11 });

    const second = await client.responses.create({
      model,
      tools: [add],
      input: [
        { role: 'user', content: question },
        ...first.output,
        { type: 'function_call_output', call_id: call!.call_id, output: '42' },
      ],
    });
    expect(second.output_text).toContain('42');
    const { usage } = second;
    expect(usage!.input_tokens_details.cached_tokens).toBeGreaterThanOrEqual(
      first.usage!.input_tokens + first.usage!.output_tokens - 2,
    );
    expect(usage!.total_tokens).toBe(usage!.input_tokens + usage!.output_tokens);
  });

  test('what is in it reaches the prompt as who said it', async () => {
    const own = recordedEngine(['Fine.']);
    const started = await startServer(own);
    const answer = await clientOf(started).responses.create({
      model,
      instructions: 'Be short.',
      input: [
        { role: 'developer', content: 'Be kind.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Add and wave.' }] },
        { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Two.' }] },
        { role: 'assistant', content: 'I do both.' },
        { type: 'function_call', call_id: 'x', name: 'math.add', arguments: '{"a":1,"b":2}' },
        { type: 'function_call', call_id: 'y', name: 'wave', arguments: '{}' },
        { type: 'function_call_output', call_id: 'y', output: 'waved' },
        { type: 'function_call_output', call_id: 'x', output: [{ type: 'input_text', text: 'three' }] },
      ],
      tools: [add, wave],
    });
    await started.close();
    expect(answer).toMatchObject({ output_text: 'Fine.', instructions: 'Be short.' });
    const told = own.prompts[0]!.flatMap(piece =>
      'text' in piece ? [[piece.origin, piece.text.trim()]] : [],
    );
    const at = (origin: string, text: string) =>
      told.findIndex(([from, said]) => from === origin && said?.includes(text));
    const order = [
      at('system', 'Be short.'),
      at('system', 'Be kind.'),
      at('user', 'Add and wave.'),
      at('assistant', 'I do both.'),
      // Results stand in the order of their calls.
      at('tool', 'three'),
      at('tool', 'waved'),
    ];
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((left, right) => left - right));
    const said = own.prompts[0]!.map(piece => ('text' in piece ? piece.text : piece.control)).join('');
    // One turn of the assistant, with both calls.
    expect(said.match(/<\|im_start\|>assistant/g)).toHaveLength(2);
    expect(said).toContain('"name": "math_add"');
    expect(said).toContain('Two.');
  });

  test('the client’s parse gives back what the schema says', async () => {
    const answer = await client.responses.parse({
      model,
      input: question,
      text: { format: zodTextFormat(z.object({ sum: z.int() }), 'answer') },
    });
    expect(Object.keys(answer.output_parsed!)).toEqual(['sum']);
    expect(answer.text?.format).toMatchObject({ type: 'json_schema', name: 'answer' });
  });

  test('json_object', async () => {
    const { status, output_text } = await client.responses.create({
      model,
      input: question,
      max_output_tokens: 300,
      text: { format: { type: 'json_object' } },
    });
    if (status === 'completed') expect(typeof JSON.parse(output_text)).toBe('object');
    else expect(output_text).toMatch(/^\{/);
  });
});

describe('tool_choice', () => {
  const ask = async (choice: OpenAI.Responses.ResponseCreateParams['tool_choice'], input = 'Hello!') => {
    const body = { model, input, tools: [add, wave], tool_choice: choice! };
    return callsIn(await client.responses.create(body)).map(({ name }) => name);
  };

  test('none, required, a named tool and allowed tools are kept to', async () => {
    expect(await ask('none', question)).toEqual([]);
    expect((await ask('required')).length).toBeGreaterThan(0);
    expect(new Set(await ask({ type: 'function', name: 'wave' }))).toEqual(new Set(['wave']));
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'wave' }] };
    expect(new Set(await ask(allowed as never, question))).toEqual(new Set(['wave']));
  });

  test('parallel_tool_calls: false gives one call', async () => {
    const call = '<tool_call>\n{"name": "math_add", "arguments": {"a": 1, "b": 2}}\n</tool_call>\n';
    const made = await recorded([call + call, call + call], async own => {
      const ask = (parallel: boolean) =>
        clientOf(own).responses.create({
          model,
          input: question,
          tools: [add],
          parallel_tool_calls: parallel,
        });
      return [callsIn(await ask(true)).length, callsIn(await ask(false)).length];
    });
    expect(made).toEqual([2, 1]);
  });
});

/** The laws of a stream, whatever it says; its items are given back with the deltas of each. */
function checkStream(text: string) {
  const events = namedEvents(text);
  expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_, index) => index));
  expect(events.slice(0, 2).map(({ event }) => event)).toEqual(['response.created', 'response.in_progress']);
  for (const { data } of events.slice(0, 2))
    expect(data.response).toMatchObject({ status: 'in_progress', output: [], usage: null });
  const { response } = events.at(-1)!.data;
  expect(events.at(-1)!.event).toBe(`response.${response.status}`);
  expect(new Set(events.flatMap(({ data }) => data.response?.id ?? [])).size).toBe(1);

  const of = (event: string) => events.filter(one => one.event === `response.${event}`);
  const added = of('output_item.added');
  const done = of('output_item.done');
  expect(added.map(({ data }) => data.output_index)).toEqual(added.map((_, index) => index));
  expect(done.map(({ data }) => data.item)).toEqual(response.output);
  expect(added.map(({ data }) => data.item.id)).toEqual(done.map(({ data }) => data.item.id));
  expect(new Set(done.map(({ data }) => data.item.id)).size).toBe(done.length);
  const items = done.map(({ data: { item, output_index } }) => {
    const inside = events.filter(({ data }) => data.item_id === item.id);
    expect(inside.every(({ data }) => data.output_index === output_index)).toBe(true);
    const order = inside.map(({ event }) => event).filter((one, index, all) => one !== all[index - 1]);
    const name = {
      message: 'output_text',
      reasoning: 'reasoning_text',
      function_call: 'function_call_arguments',
    };
    const own = `response.${name[item.type as keyof typeof name]}`;
    const [part, partDone] = ['response.content_part.added', 'response.content_part.done'];
    expect(order).toEqual(
      item.type === 'function_call'
        ? [`${own}.delta`, `${own}.done`]
        : [part, `${own}.delta`, `${own}.done`, partDone],
    );
    const deltas = inside.filter(({ event }) => event === `${own}.delta`).map(({ data }) => data.delta);
    const whole = item.type === 'function_call' ? item.arguments : item.content[0].text;
    const [end] = inside.filter(({ event }) => event === `${own}.done`);
    expect([deltas.join(''), end!.data.text ?? end!.data.arguments]).toEqual([whole, whole]);
    if (item.type === 'function_call') expect(end!.data.name).toBe(item.name);
    return { item, deltas };
  });
  return { response, items, events };
}

describe('streamed', () => {
  test('a call of the practice model', async () => {
    const text = await post({ input: question, tools: [add], stream: true }).then(answer => answer.text());
    const { response, items } = checkStream(text);
    expect(response.status).toBe('completed');
    expect(items).toHaveLength(1);
    expect(items[0]!.deltas.length).toBeGreaterThan(3);
    expect(JSON.parse(items[0]!.item.arguments)).toEqual({ a: 31, b: 11 });
    expect(response.usage.output_tokens).toBeGreaterThan(5);
  });

  test('thoughts, text, two calls: as many items, and the whole answer is the same', async () => {
    const call = '<tool_call>\n{"name": "math_add", "arguments": {"a": 1, "b": 2}}\n</tool_call>\n';
    const completion = `<think>\nEasy.\n\nVery.\n</think>\n\nI add  twice.\n\n${call}${call}`;
    await recorded([completion, completion], async own => {
      const ask = (stream: boolean) => post({ input: question, tools: [add], stream }, own);
      const { items } = checkStream(await ask(true).then(answer => answer.text()));
      const told = items.map(({ item }) => [item.type, item.content?.[0].text ?? item.arguments]);
      expect(told).toEqual([
        ['reasoning', 'Easy.\n\nVery.'],
        ['message', 'I add  twice.'],
        ['function_call', '{"a":1,"b":2}'],
        ['function_call', '{"a":1,"b":2}'],
      ]);
      const whole = (await ask(false).then(answer => answer.json())) as OpenAI.Responses.Response;
      const plain = (list: readonly object[]) => list.map(one => ({ ...one, id: '', call_id: '' }));
      expect(plain(whole.output)).toEqual(plain(items.map(({ item }) => item)));
    });
  });

  test('the client puts it together, and its thoughts where they are wanted', async () => {
    const completion = '<think>\nEasy.\n</think>\n\nIt is 42.';
    await recorded([completion], async own => {
      const stream = clientOf(own).responses.stream({ model, input: question });
      const deltas: string[] = [];
      stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta));
      const { output, status } = await stream.finalResponse();
      expect(status).toBe('completed');
      expect(deltas.join('')).toBe('It is 42.');
      expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    });
    const quiet = await startServer(recordedEngine([completion]), { reasoningContent: false });
    const { output } = await clientOf(quiet).responses.create({ model, input: question });
    expect(output.map(({ type }) => type)).toEqual(['message']);
    await quiet.close();
  });

  test('the client runs a tool between two streams', async () => {
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question }];
    const first = await client.responses.stream({ model, input, tools: [add] }).finalResponse();
    for (const call of callsIn(first)) {
      const { a, b } = JSON.parse(call.arguments) as { a: number; b: number };
      const { call_id } = call;
      input.push({ type: 'function_call', call_id, name: call.name, arguments: call.arguments });
      input.push({ type: 'function_call_output', call_id, output: String(a + b) });
    }
    const stream = client.responses.stream({ model, input, tools: [add] });
    let text = '';
    for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
    expect(text).toContain('42');
  });
});

describe('what was cut', () => {
  const reason = { incomplete_details: { reason: 'max_output_tokens' } };

  test('a text is incomplete, and says so', async () => {
    await recorded(['One two three four.', 'One two three four.'], async own => {
      const cut = { input: 'Count.', max_output_tokens: 7 };
      const { response, items } = checkStream(
        await post({ ...cut, stream: true }, own).then(answer => answer.text()),
      );
      expect(response).toMatchObject({ status: 'incomplete', ...reason, max_output_tokens: 7 });
      expect(items[0]!.item).toMatchObject({ status: 'incomplete', content: [{ text: 'One two' }] });
      const whole = await clientOf(own).responses.create({ model, ...cut });
      expect(whole).toMatchObject({ status: 'incomplete', ...reason, output_text: 'One two' });
    });
  });

  test('a call is none in a whole answer, in a stream it is incomplete, and such a one can be sent back', async () => {
    const begun = {
      pieces: [...'Now:<tool_call>\n{"name": "math_add", "arguments": {"a": 1, '].map(text => ({ text })),
      reason: 'length' as const,
    };
    await recorded([begun, begun, 'Again.'], async own => {
      const ask = { input: question, tools: [add] };
      const { response, items } = checkStream(
        await post({ ...ask, stream: true }, own).then(answer => answer.text()),
      );
      expect(response).toMatchObject({ status: 'incomplete', ...reason });
      expect(items.map(({ item }) => [item.type, item.status])).toEqual([
        ['message', 'completed'],
        ['function_call', 'incomplete'],
      ]);
      const whole = await clientOf(own).responses.create({ model, ...ask });
      expect(whole.output.map(({ type }) => type)).toEqual(['message']);
      const input = [
        { role: 'user', content: question },
        ...response.output,
        { role: 'user', content: 'Again!' },
      ];
      expect((await clientOf(own).responses.create({ model, input })).output_text).toBe('Again.');
    });
  });
});

describe('errors', () => {
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
    const answer = await client.responses.create({
      model,
      input: 'Hello!',
      store: true,
      max_output_tokens: 4,
    });
    expect(answer).toMatchObject({ store: false });
  });

  test('a failure in the middle of a stream is its last event, and says nothing of the machine', async () => {
    const failing = await startServer({
      ...recordedEngine([]),
      generate: () => ({
        usage: { prompt: 0, reused: 0, evaluated: 0, generated: 0 },
        reason: undefined,
        async *[Symbol.asyncIterator]() {
          yield { text: 'It ' };
          throw new Error('/home/someone/model.gguf is gone');
        },
      }),
    });
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
});
