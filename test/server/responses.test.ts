/** The Responses API, asked by OpenAI's own client over a socket, and its streams byte by byte. */
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { namedEvents } from './events.ts';
import { letters, recorded } from './recorded.ts';
import { practiceServer, startServer, type TestServer } from './server.ts';

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

function post(body: object, { url } = server): Promise<Response> {
  return fetch(`${url}/v1/responses`, { method: 'POST', body: JSON.stringify(body) });
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
      pieces: letters('Now:<tool_call>\n{"name": "math_add", "arguments": {"a": 1, '),
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
