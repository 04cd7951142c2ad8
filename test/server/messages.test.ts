/** Anthropic's API, asked by its own client over a socket, and its streams byte by byte. */
import type Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { add, clientOf, common, post, question } from './anthropic.ts';
import { namedEvents } from './events.ts';
import { letters, recorded, writingEngine } from './recorded.ts';
import { practiceServer, startServer, type TestServer } from './server.ts';

const wave: Anthropic.Tool = { name: 'wave', input_schema: { type: 'object', additionalProperties: false } };

let server: TestServer;
let client: Anthropic;

beforeAll(async () => {
  server = await practiceServer();
  client = clientOf(server);
});
afterAll(() => server.close());

const callText = '<tool_call>\n{"name": "math_add", "arguments": {"a": 1, "b": 2}}\n</tool_call>\n';

function toolUses({ content }: Anthropic.Message): Anthropic.ToolUseBlock[] {
  return content.flatMap(block => (block.type === 'tool_use' ? [block] : []));
}

describe('a conversation', () => {
  test('a question in, a call out, its result in, the answer out, and the cache is found again', async () => {
    const first = await client.messages.create({ ...common, messages: [question], tools: [add] });
    expect(first).toMatchObject({
      id: expect.stringMatching(/^msg_\w+$/),
      type: 'message',
      role: 'assistant',
      model: 'practice',
      stop_reason: 'tool_use',
      stop_sequence: null,
    });
    expect(first.content).toHaveLength(1);
    const [call] = toolUses(first);
    expect(call).toMatchObject({ name: 'math.add', input: { a: 31, b: 11 } });
    expect(call!.id).toMatch(/^toolu_/);

    const second = await client.messages.create({
      ...common,
      tools: [add],
      messages: [
        question,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call!.id, content: '42' }] },
      ],
    });
    expect(second.stop_reason).toBe('end_turn');
    expect(second.content).toMatchObject([{ type: 'text', text: expect.stringContaining('42') }]);
    // The whole prompt of the first turn and what was generated then; together they are this prompt.
    const before = first.usage;
    const { cache_read_input_tokens: cached, input_tokens: fresh } = second.usage;
    const all = before.input_tokens + before.cache_read_input_tokens! + before.output_tokens;
    expect(cached).toBeGreaterThanOrEqual(all - 2);
    expect(fresh).toBeGreaterThan(0);
    expect(fresh).toBeLessThan(cached!);
  });

  test('what is in it reaches the prompt as who said it', async () => {
    const { answer, prompt } = await recorded(['Fine.'], async (own, replay) => {
      const answer = await clientOf(own).messages.create({
        ...common,
        system: [
          { type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'Be kind.' },
        ],
        thinking: { type: 'enabled', budget_tokens: 1024 },
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Add and wave.' }] },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Two.', signature: '' },
              { type: 'redacted_thinking', data: 'x' },
              { type: 'text', text: 'I do both.' },
              { type: 'tool_use', id: 'x', name: 'math.add', input: { a: 1, b: 2 } },
              { type: 'tool_use', id: 'y', name: 'wave', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'y', content: [{ type: 'text', text: 'waved' }] },
              { type: 'tool_result', tool_use_id: 'x', content: 'three', is_error: true },
              { type: 'text', text: 'Well?' },
            ],
          },
        ],
        tools: [add, wave],
      });
      return { answer, prompt: replay.prompts[0]! };
    });
    expect(answer.content).toMatchObject([{ type: 'text', text: 'Fine.' }]);
    const told = prompt.flatMap(piece => ('text' in piece ? [[piece.origin, piece.text]] : []));
    const at = (origin: string, text: string) =>
      told.findIndex(([from, said]) => from === origin && said?.includes(text));
    const order = [
      at('system', 'Be short.\nBe kind.'),
      at('user', 'Add and wave.'),
      at('assistant', 'I do both.'),
      // Results stand in the order of their calls.
      at('tool', 'three'),
      at('tool', 'waved'),
      at('user', 'Well?'),
    ];
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((left, right) => left - right));
    const said = prompt.map(piece => ('text' in piece ? piece.text : piece.control)).join('');
    expect(said.match(/<\|im_start\|>assistant/g)).toHaveLength(2);
    expect(said).toContain('"name": "math_add"');
  });

  test('JSON of a schema', async () => {
    const schema = {
      type: 'object',
      properties: { sum: { type: 'integer' } },
      required: ['sum'],
      additionalProperties: false,
    };
    const { content } = await client.messages.create({
      ...common,
      messages: [question],
      output_config: { format: { type: 'json_schema', schema } },
    });
    expect(content).toHaveLength(1);
    expect(Object.keys(JSON.parse(content[0]!.type === 'text' ? content[0].text : ''))).toEqual(['sum']);
  });
});

describe('tool_choice', () => {
  const hello: Anthropic.UserMessageParam = { role: 'user', content: 'Hello!' };
  const ask = async (tool_choice: Anthropic.ToolChoice, message = hello) => {
    const body = { ...common, messages: [message], tools: [add, wave], tool_choice };
    return toolUses(await client.messages.create(body)).map(({ name }) => name);
  };

  test('none, any and a named tool are kept to', async () => {
    expect(await ask({ type: 'none' }, question)).toEqual([]);
    expect(await ask({ type: 'auto' }, question)).toEqual(['math.add']);
    expect((await ask({ type: 'any' })).length).toBeGreaterThan(0);
    expect(new Set(await ask({ type: 'tool', name: 'wave' }, question))).toEqual(new Set(['wave']));
  });

  test('disable_parallel_tool_use gives one call', async () => {
    const made = await recorded([callText + callText, callText + callText], async own => {
      const ask = (disable_parallel_tool_use: boolean) =>
        clientOf(own).messages.create({
          ...common,
          messages: [question],
          tools: [add],
          tool_choice: { type: 'auto', disable_parallel_tool_use },
        });
      return [toolUses(await ask(false)).length, toolUses(await ask(true)).length];
    });
    expect(made).toEqual([2, 1]);
  });
});

/** The laws of a stream, whatever it says; its blocks are given back with the deltas of each. */
function checkStream(text: string) {
  const events = namedEvents(text).filter(({ event }) => event !== 'ping');
  const names = events.map(({ event }) => event);
  expect(names[0]).toBe('message_start');
  expect(names.slice(-2)).toEqual(['message_delta', 'message_stop']);
  const { message } = events[0]!.data;
  expect(message).toMatchObject({ type: 'message', role: 'assistant', content: [], stop_reason: null });
  const inside = events.slice(1, -2);
  const indexes = inside.map(({ data }) => data.index);
  expect(indexes).toEqual([...indexes].sort((left, right) => left - right));
  const blocks = [...new Set(indexes)].map((index, place) => {
    expect(index).toBe(place);
    const own = inside.filter(({ data }) => data.index === index);
    const order = own.map(({ event }) => event).filter((one, at, all) => one !== all[at - 1]);
    expect(order).toEqual(['content_block_start', 'content_block_delta', 'content_block_stop']);
    const deltas = own.slice(1, -1).map(({ data }) => data.delta);
    expect(new Set(deltas.map(({ type }) => type)).size).toBe(1);
    const text = deltas.map(one => one.text ?? one.thinking ?? one.partial_json).join('');
    return { block: own[0]!.data.content_block, kind: deltas[0].type as string, text, deltas };
  });
  return { message, blocks, end: events.at(-2)!.data };
}

describe('streamed', () => {
  test('a call of the practice model', async () => {
    const body = { messages: [question], tools: [add], stream: true };
    const { message, blocks, end } = checkStream(await post(server, body).then(answer => answer.text()));
    expect(blocks).toHaveLength(1);
    expect(blocks[0]!.block).toEqual({
      type: 'tool_use',
      id: expect.stringMatching(/^toolu_/),
      name: 'math.add',
      input: {},
    });
    expect(blocks[0]!.deltas.length).toBeGreaterThan(3);
    expect(JSON.parse(blocks[0]!.text)).toEqual({ a: 31, b: 11 });
    expect(end.delta).toEqual({ stop_reason: 'tool_use', stop_sequence: null });
    // The prompt is counted before it is evaluated; how much of it the cache had is told at the end.
    const { input_tokens, cache_read_input_tokens, output_tokens } = end.usage;
    expect(message.usage.input_tokens).toBe(input_tokens + cache_read_input_tokens);
    expect(output_tokens).toBeGreaterThan(5);
  });

  test('thoughts, text, two calls: as many blocks, and the whole answer is the same', async () => {
    const completion = `<think>\nEasy.\n\nVery.\n</think>\n\nI add  twice.\n\n${callText}${callText}`;
    await recorded([completion, completion], async own => {
      const thinking = { type: 'enabled', budget_tokens: 1024 };
      const ask = (stream: boolean) => post(own, { messages: [question], tools: [add], thinking, stream });
      const { blocks, end } = checkStream(await ask(true).then(answer => answer.text()));
      expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
        ['thinking_delta', 'Easy.\n\nVery.'],
        ['text_delta', 'I add  twice.'],
        ['input_json_delta', '{"a":1,"b":2}'],
        ['input_json_delta', '{"a":1,"b":2}'],
      ]);
      const whole = (await ask(false).then(answer => answer.json())) as Anthropic.Message;
      const input = { a: 1, b: 2 };
      expect(whole.content).toMatchObject([
        { type: 'thinking', thinking: 'Easy.\n\nVery.' },
        { type: 'text', text: 'I add  twice.' },
        { type: 'tool_use', name: 'math.add', input },
        { type: 'tool_use', name: 'math.add', input },
      ]);
      expect(whole).toMatchObject(end.delta);
    });
  });

  test('the client puts it together, and its thoughts where it asked for them', async () => {
    const completion = '<think>\nEasy.\n</think>\n\nIt is 42.';
    await recorded([completion, completion, completion], async own => {
      const ask = (thinking?: Anthropic.ThinkingConfigParam) =>
        clientOf(own)
          .messages.stream({ ...common, messages: [question], ...(thinking ? { thinking } : {}) })
          .finalMessage();
      const kinds = async (thinking?: Anthropic.ThinkingConfigParam) =>
        (await ask(thinking)).content.map(({ type }) => type);
      expect(await kinds({ type: 'enabled', budget_tokens: 1024 })).toEqual(['thinking', 'text']);
      expect(await kinds({ type: 'adaptive', display: 'omitted' })).toEqual(['text']);
      const { content, stop_reason } = await ask();
      expect(stop_reason).toBe('end_turn');
      expect(content).toMatchObject([{ type: 'text', text: 'It is 42.' }]);
    });
  });

  test('a model is told not to think where thoughts are not asked for', async () => {
    await recorded(['Well.', 'Well.'], async (own, { prompts }) => {
      await post(own, { messages: [question] });
      await post(own, { messages: [question], thinking: { type: 'adaptive' } });
      const [quiet, thinks] = prompts.map(prompt =>
        prompt.map(piece => ('text' in piece ? piece.text : piece.control)).join(''),
      );
      expect(quiet).toContain('<think>\n\n</think>');
      expect(thinks).not.toContain('</think>');
    });
  });

  test('the client runs a tool between two streams', async () => {
    const ask = (messages: Anthropic.MessageParam[]) =>
      client.messages.stream({ ...common, messages, tools: [add] });
    const first = await ask([question]).finalMessage();
    const results = toolUses(first).map(({ id, input }): Anthropic.ToolResultBlockParam => {
      const { a, b } = input as { a: number; b: number };
      return { type: 'tool_result', tool_use_id: id, content: String(a + b) };
    });
    const turns: Anthropic.MessageParam[] = [
      question,
      { role: 'assistant', content: first.content },
      { role: 'user', content: results },
    ];
    expect(await ask(turns).finalText()).toContain('42');
  });

  test('while nothing comes, a ping does', async () => {
    const own = await startServer(
      writingEngine(async function* () {
        await new Promise(resolve => setTimeout(resolve, 300));
        yield { text: 'Late.' };
      }),
      { keepAlive: 20 },
    );
    const text = await post(own, { messages: [question], stream: true }).then(answer => answer.text());
    await own.close();
    expect(text).toContain('event: ping\ndata: {"type":"ping"}\n\n');
    expect(checkStream(text).blocks[0]).toMatchObject({ text: 'Late.' });
  });
});

describe('why it stopped', () => {
  test('a stop sequence is named and is no part of the text', async () => {
    const ask = { ...common, messages: [{ role: 'user', content: 'Hello!' }] as Anthropic.MessageParam[] };
    const { content } = await client.messages.create(ask);
    const said = content[0]?.type === 'text' ? content[0].text : '';
    const stop = said.slice(3, 6);
    expect(stop.trim()).not.toBe('');
    for (const stream of [false, true]) {
      const answer = await post(server, { ...ask, stop_sequences: ['@@never@@', stop], stream });
      const message = stream
        ? checkStream(await answer.text()).end.delta
        : ((await answer.json()) as Anthropic.Message);
      expect(message).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: stop });
      if (!stream)
        expect(message.content).toMatchObject([{ text: said.slice(0, said.indexOf(stop)).trim() }]);
    }
    expect(await client.messages.create(ask)).toMatchObject({ stop_reason: 'end_turn', stop_sequence: null });
  });

  test('a text that was cut', async () => {
    await recorded(['One two three four.'], async own => {
      const answer = await clientOf(own).messages.create({ ...common, max_tokens: 7, messages: [question] });
      expect(answer).toMatchObject({
        stop_reason: 'max_tokens',
        content: [{ type: 'text', text: 'One two' }],
      });
    });
  });

  test('a call that was cut is none in a whole answer, and ends in a stream', async () => {
    const begun = {
      pieces: letters('Now:<tool_call>\n{"name": "math_add", "arguments": {"a": 1, '),
      reason: 'length' as const,
    };
    await recorded([begun, begun], async own => {
      const ask = { messages: [question], tools: [add] };
      const whole = await clientOf(own).messages.create({ ...common, ...ask });
      expect(whole).toMatchObject({ stop_reason: 'max_tokens', content: [{ type: 'text', text: 'Now:' }] });
      const { blocks, end } = checkStream(
        await post(own, { ...ask, stream: true }).then(answer => answer.text()),
      );
      expect(blocks.map(({ kind }) => kind)).toEqual(['text_delta', 'input_json_delta']);
      expect(end.delta.stop_reason).toBe('max_tokens');
    });
  });

  test('arguments that do not fit are the client’s to judge; those that are no object are a text', async () => {
    const call = (args: string) => `<tool_call>\n{"name": "math_add", "arguments": ${args}}\n</tool_call>`;
    await recorded([call('{"a": "many", "b": 2}'), call('"many"')], async own => {
      const ask = () => clientOf(own).messages.create({ ...common, messages: [question], tools: [add] });
      expect(toolUses(await ask())).toMatchObject([{ input: { a: 'many', b: 2 } }]);
      expect(await ask()).toMatchObject({
        stop_reason: 'end_turn',
        content: [{ type: 'text', text: expect.stringContaining('"many"') }],
      });
    });
  });
});

describe('count_tokens', () => {
  test('counts what a turn would be asked with, tools and all', async () => {
    const ask = { model: 'practice', messages: [question], tools: [add] };
    const { input_tokens } = await client.messages.countTokens(ask);
    const { usage } = await client.messages.create({ ...ask, max_tokens: 1 });
    expect(input_tokens).toBe(usage.input_tokens + usage.cache_read_input_tokens!);
    const bare = await client.messages.countTokens({ model: 'practice', messages: [question] });
    expect(bare.input_tokens).toBeLessThan(input_tokens);
    const long = { role: 'user', content: 'word '.repeat(5000) } as const;
    expect((await client.messages.countTokens({ ...ask, messages: [long] })).input_tokens).toBeGreaterThan(
      2048,
    );
  });

  test('a model without a tokenizer says so', async () => {
    const own = await startServer(recordedEngine([]));
    const answer = await post(own, { messages: [question] }, '/v1/messages/count_tokens');
    await own.close();
    expect(answer.status).toBe(501);
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'api_error' } });
  });
});
