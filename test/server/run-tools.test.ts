/** Tools that the server itself has: offered beside the client's, and run here where it is told to. */
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../parsers/parser.ts';
import { approval } from '../../src/agent/approval.ts';
import type { TurnPolicy } from '../../src/agent/policy.ts';
import { toolChoice } from '../../src/agent/tool-choice.ts';
import { openLlamaEngine } from '../../src/engine/llama.ts';
import type { ServerTools } from '../../src/server/server-tools.ts';
import type { ToolSource } from '../../src/tools.ts';
import { promptText } from '../../templates/prompt.ts';
import { call, clock, type ScriptedTools, scriptedTools, weather } from '../agent/harness.ts';
import { hundredTools } from '../agent/many-tools.ts';
import { practiceModel } from '../engine/practice.ts';
import { clientOf as anthropicClient } from './anthropic.ts';
import { namedEvents } from './events.ts';
import { letters, recorded } from './recorded.ts';
import { startServer, type TestServer } from './server.ts';

const degrees = scriptedTools({ get_weather: ({ city }) => `4 degrees in ${city}`, get_time: () => '12:00' });

function withTools(
  source: ToolSource = degrees,
  runs?: { readonly approve?: string[]; readonly policy?: TurnPolicy; readonly maxRounds?: number },
): { readonly tools: ServerTools } {
  const patterns = (runs?.approve ?? ['*']).map(pattern => ({ pattern, mode: 'auto' }) as const);
  return {
    tools: {
      all: source.tools,
      offer: () => source,
      origin: tool => ({ server: 'sky', tool }),
      ...(runs
        ? {
            runs: {
              approve: approval({ patterns }),
              policy: runs.policy ?? {},
              ...(runs.maxRounds === undefined ? {} : { maxRounds: runs.maxRounds }),
            },
          }
        : {}),
    },
  };
}
const runsHere = (source: ScriptedTools = scriptedToolsAnew()) => ({ source, ...withTools(source, {}) });
function scriptedToolsAnew(): ScriptedTools {
  return scriptedTools({ get_weather: ({ city }) => `4 degrees in ${city}`, get_time: () => '12:00' });
}

const oslo = call('get_weather', { city: 'Oslo' });
const question = { role: 'user', content: 'Weather in Oslo?' };
const alarm = {
  type: 'function',
  function: { name: 'alarm.set', parameters: { type: 'object', properties: { at: { type: 'string' } } } },
};

async function ask(server: TestServer, body: object, path = 'chat/completions') {
  const response = await fetch(`${server.url}/v1/${path}`, { method: 'POST', body: JSON.stringify(body) });
  // biome-ignore lint/suspicious/noExplicitAny: what tests look into is what they test
  return { status: response.status, body: (await response.json()) as any };
}

async function stream(server: TestServer, body: object, path = 'chat/completions'): Promise<string> {
  const response = await fetch(`${server.url}/v1/${path}`, {
    method: 'POST',
    body: JSON.stringify({ ...body, stream: true }),
  });
  return response.text();
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function chunksOf(text: string): any[] {
  const lines = text.trimEnd().split('\n\n');
  expect(lines.at(-1)).toBe('data: [DONE]');
  return lines.slice(0, -1).map(line => JSON.parse(line.slice('data: '.length)));
}

describe('offered, and run by clients', () => {
  test('the model sees them beside the client’s own, and the client gets their calls', () =>
    recorded(
      [oslo],
      async (server, { prompts }) => {
        const { body } = await ask(server, { messages: [question], tools: [alarm] });
        expect(body.choices[0]).toMatchObject({
          finish_reason: 'tool_calls',
          message: { content: null, tool_calls: [{ function: { name: 'get_weather' } }] },
        });
        expect(body).not.toHaveProperty('x_rawcall');
        const text = promptText(prompts[0]!);
        for (const name of ['alarm_set', 'get_weather', 'get_time']) expect(text).toContain(`"${name}"`);
        const listed = await fetch(`${server.url}/v1/rawcall/tools`).then(response => response.json());
        expect(listed).toMatchObject({
          run_here: false,
          data: [
            { function: { name: 'get_weather', parameters: weather.inputSchema }, server: 'sky' },
            { function: { name: 'get_time' }, server: 'sky', tool: 'get_time' },
          ],
        });
      },
      withTools(),
    ));

  test('a client’s tool takes the place of one of the same name', () =>
    recorded(
      ['Fine.'],
      async (server, { prompts }) => {
        const own = { type: 'function', function: { name: 'get_time', description: 'My own clock.' } };
        await ask(server, { messages: [question], tools: [own] });
        const text = promptText(prompts[0]!);
        expect(text.match(/"name": ?"get_time"/g)).toHaveLength(1);
        expect(text).toContain('My own clock.');
        expect(text).not.toContain(`"${clock.description}"`);
      },
      withTools(),
    ));

  test('a choice may name them, or leave them out', () =>
    recorded(
      ['Fine.', 'Fine.', 'Fine.'],
      async (server, { prompts }) => {
        await ask(server, { messages: [question], tool_choice: 'none' });
        expect(promptText(prompts[0]!)).not.toContain('get_weather');
        const named = (name: string) => ({ type: 'function', function: { name } });
        expect((await ask(server, { messages: [question], tool_choice: named('get_weather') })).status).toBe(
          200,
        );
        const wrong = await ask(server, { messages: [question], tool_choice: named('alarm') });
        expect(wrong).toMatchObject({ status: 400, body: { error: { param: 'tool_choice' } } });
      },
      withTools(),
    ));

  test.each([
    ['no call is open', [question, { role: 'tool', tool_call_id: 'a', content: '4' }], 'messages[1]'],
    ['another id', [question, asked('a'), { role: 'tool', tool_call_id: 'b', content: '4' }], 'messages[2]'],
    [
      'answered twice',
      [question, asked('a'), ...['4', '5'].map(content => ({ role: 'tool', tool_call_id: 'a', content }))],
      'messages[3]',
    ],
    ['not answered', [question, asked('a'), question], 'messages[1]'],
  ])('results are checked: %s', (_, messages, param) =>
    recorded(
      [],
      async server =>
        expect(await ask(server, { messages })).toMatchObject({
          status: 400,
          body: { error: { type: 'invalid_request_error', param } },
        }),
      withTools(),
    ),
  );
});

function asked(id: string) {
  const call = { id, type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } };
  return { role: 'assistant', content: null, tool_calls: [call] };
}

describe('run here', () => {
  test('the answer comes with what ran, and the usage of all turns', () => {
    const { source, ...options } = runsHere();
    return recorded(
      [`Let me see. ${oslo}`, 'It is 4 degrees.'],
      async (server, { prompts }) => {
        const { body } = await ask(server, { messages: [question] });
        expect(body.choices[0]).toMatchObject({
          finish_reason: 'stop',
          message: { content: 'Let me see.\n\nIt is 4 degrees.' },
        });
        expect(body.choices[0].message).not.toHaveProperty('tool_calls');
        expect(body.x_rawcall).toEqual({
          calls: [
            {
              id: expect.stringMatching(/^call_/),
              name: 'get_weather',
              server: 'sky',
              arguments: '{"city":"Oslo"}',
              result: '4 degrees in Oslo',
              is_error: false,
              source: 'tool',
            },
          ],
          run: { reason: 'answered', turns: 2, tool_runs: 1, repeats: 0, unasked: 0 },
        });
        expect(source.ran).toEqual([{ name: 'get_weather', args: { city: 'Oslo' } }]);
        const written = `Let me see. ${oslo}It is 4 degrees.`.length;
        expect(body.usage.completion_tokens).toBe(written);
        expect(promptText(prompts[1]!)).toContain('4 degrees in Oslo');
      },
      options,
    );
  });

  test('streamed: calls that run here are no tool_calls, and are told as they go', () => {
    const { source: _, ...options } = runsHere();
    return recorded(
      [`Let me see. ${oslo}`, 'It is 4.'],
      async server => {
        const text = await stream(server, { messages: [question], stream_options: { include_usage: true } });
        const chunks = chunksOf(text);
        const deltas = chunks.flatMap(({ choices: [choice] }) => (choice ? [choice.delta] : []));
        expect(deltas.filter(({ role }) => role)).toHaveLength(1);
        expect(deltas.map(({ content = '' }) => content).join('')).toBe('Let me see.\n\nIt is 4.');
        expect(text).not.toContain('tool_calls');
        const told = chunks.flatMap(({ x_rawcall: own }) => own ?? []);
        expect(told).toEqual([
          { event: 'tool-start', call: expect.objectContaining({ name: 'get_weather', server: 'sky' }) },
          {
            event: 'tool-end',
            call: expect.objectContaining({ result: '4 degrees in Oslo', source: 'tool' }),
          },
          { run: expect.objectContaining({ reason: 'answered', tool_runs: 1 }) },
        ]);
        expect(chunks.filter(({ choices }) => choices[0]?.finish_reason)).toHaveLength(1);
        expect(chunks.at(-1)).toMatchObject({
          choices: [],
          usage: { completion_tokens: expect.any(Number) },
        });
      },
      options,
    );
  });

  test('the client’s own calls are handed back, with what ran beside them, and the run goes on from its results', () => {
    const { source, ...options } = runsHere();
    const both = `${oslo}\n${call('alarm_set', { at: '7:00' })}`;
    return recorded(
      [both, call('get_time', {}), 'Set.'],
      async (server, { prompts }) => {
        const first = await ask(server, { messages: [question], tools: [alarm] });
        const { message, finish_reason } = first.body.choices[0];
        expect(finish_reason).toBe('tool_calls');
        expect(message.tool_calls).toMatchObject([{ function: { name: 'alarm.set' } }]);
        expect(first.body.x_rawcall).toMatchObject({
          calls: [{ name: 'get_weather' }],
          run: { reason: 'calls' },
        });
        const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'done' };
        const second = await ask(server, { messages: [question, message, result], tools: [alarm] });
        expect(second.body.choices[0].message.content).toBe('Set.');
        expect(source.ran.map(({ name }) => name)).toEqual(['get_weather', 'get_time']);
        // The client knows nothing of the weather, and the model has not forgotten it.
        const [begun = '', gone = ''] = prompts.map(promptText);
        expect(gone.startsWith(`${begun}${both}`)).toBe(true);
        expect(gone).toContain('4 degrees in Oslo');
      },
      options,
    );
  });

  test('a dialogue goes on from what the model really saw', () => {
    const { source: _, ...options } = runsHere();
    return recorded(
      [oslo, 'It is 4.', 'Oslo again.'],
      async (server, { prompts }) => {
        const { body } = await ask(server, { messages: [question] });
        const { message } = body.choices[0];
        await ask(server, { messages: [question, message, { role: 'user', content: 'Sure?' }] });
        const [, second = '', third = ''] = prompts.map(promptText);
        expect(third.startsWith(`${second}It is 4.`)).toBe(true);
      },
      options,
    );
  });

  test('what nobody approved does not run, and the model is told', () => {
    const source = scriptedToolsAnew();
    return recorded(
      [oslo, 'I may not.'],
      async (server, { prompts }) => {
        const { body } = await ask(server, { messages: [question] });
        expect(body.choices[0].message.content).toBe('I may not.');
        expect(body.x_rawcall).toMatchObject({
          calls: [{ is_error: true, source: 'rejection', result: expect.stringContaining('nobody to ask') }],
          run: { tool_runs: 0, unasked: 1 },
        });
        expect(source.ran).toEqual([]);
        expect(promptText(prompts[1]!)).toContain('needs approval');
      },
      withTools(source, { approve: [] }),
    );
  });

  test('a call that cannot be read is told to the model, and no client hears of it', () => {
    const { source: _, ...options } = runsHere();
    const broken = '<tool_call>\n{"name": "get_weather", "arguments": {"city": ]}}\n</tool_call>';
    return recorded(
      [broken, oslo, 'It is 4.'],
      async server => {
        const text = await stream(server, { messages: [question] });
        const content = chunksOf(text).map(({ choices: [choice] }) => choice.delta.content ?? '');
        expect(content.join('')).toBe('It is 4.');
        expect(text).toContain('"source":"problem"');
      },
      options,
    );
  });

  test('without an answer the results stand in for it', () =>
    recorded(
      [oslo, ''],
      async server => {
        const { body } = await ask(server, { messages: [question] });
        expect(body.choices[0].message.content).toContain('4 degrees in Oslo');
        expect(body.x_rawcall.run.reason).toBe('round_limit');
      },
      withTools(scriptedToolsAnew(), { maxRounds: 1 }),
    ));

  test('max_tokens is of all turns together', () => {
    const { source: _, ...options } = runsHere();
    return recorded(
      [oslo, 'It is 4 degrees.'],
      async server => {
        const { body } = await ask(server, { messages: [question], max_tokens: oslo.length + 4 });
        expect(body.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'It i' } });
        expect(body.usage.completion_tokens).toBe(oslo.length + 4);
      },
      options,
    );
  });

  test('a small model’s decisions after a result are not taken for its answer', () =>
    recorded(
      [oslo, 'Thinking aloud.', 'Four degrees.'],
      async server => {
        const { body } = await ask(server, { messages: [question] });
        expect(body.choices[0].message.content).toBe('Four degrees.');
      },
      withTools(scriptedToolsAnew(), { policy: { answerTurn: 'without-schema' } }),
    ));

  test('a client that goes away stops the tool', async () => {
    let stopped: () => void = () => {};
    const stop = new Promise<void>(resolve => {
      stopped = resolve;
    });
    const gone = new AbortController();
    const source = scriptedTools({
      get_weather: (_args, signal) =>
        new Promise((_resolve, reject) => {
          signal!.addEventListener('abort', () => {
            stopped();
            reject(signal!.reason as Error);
          });
          gone.abort();
        }),
    });
    await recorded(
      [oslo, 'Later.'],
      async server => {
        const body = JSON.stringify({ messages: [question] });
        const asking = fetch(`${server.url}/v1/chat/completions`, {
          method: 'POST',
          body,
          signal: gone.signal,
        });
        await expect(asking).rejects.toThrow();
        await stop;
        expect((await ask(server, { messages: [question] })).body.choices[0].message.content).toBe('Later.');
      },
      withTools(source, {}),
    );
  });
});

test.each([0, 1])('a client that goes away in turn %d leaves the engine to others', turn => {
  const { source: _, ...options } = runsHere();
  const long = letters('And so on and on. '.repeat(2000));
  const before = turn === 0 ? [] : [oslo];
  return recorded(
    [...before, long, 'Next.'],
    async server => {
      const gone = new AbortController();
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ messages: [question], stream: true }),
        signal: gone.signal,
      });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes('"content":"n"')) {
        const { value, done } = await reader.read();
        expect(done).toBe(false);
        text += value;
      }
      gone.abort();
      await expect.poll(() => server.ends.length).toBe(turn + 1);
      expect(server.ends.at(-1)).toMatch(/^(left|aborted)$/);
      expect((await ask(server, { messages: [question] })).body.choices[0].message.content).toBe('Next.');
    },
    options,
  );
});

test('a prompt that leaves no room for a reply is the client’s fault', async () => {
  const { source: _, ...options } = runsHere();
  const engine = await openLlamaEngine({ model: practiceModel, contextSize: 512, gpu: 'off' });
  const server = await startServer(engine, options);
  try {
    const messages = [{ role: 'user', content: '' }];
    const count = async () => (await ask(server, { messages }, 'rawcall/render')).body.counts.total as number;
    while ((await count()) < 500) messages[0]!.content += ' a';
    expect(await count()).toBeLessThan(512);
    expect(await ask(server, { messages })).toMatchObject({
      status: 400,
      body: { error: { code: 'context_length_exceeded', param: 'messages' } },
    });
  } finally {
    await server.close();
    await engine.close();
  }
});

describe('too many tools for the context', () => {
  const source = { tools: hundredTools, call: async () => ({ content: 'done', isError: false }) };
  const count = (tools: readonly ToolDefinition[]) => Math.ceil(JSON.stringify(tools).length / 3);
  const chosen = (runs?: object) => ({
    tools: {
      ...withTools(source, runs).tools,
      offer: () => toolChoice({ source, budget: 1500, count }),
    },
  });
  const holiday = { role: 'user', content: 'Create a holiday.' };
  const refund = call('search_refunds', { query: 'x' });

  test('a question gets those that fit, and finds others here though clients run them', () =>
    recorded(
      [call('find_tools', { query: 'search refunds' }), refund, 'Found.'],
      async (server, { prompts }) => {
        const { body } = await ask(server, { messages: [holiday] });
        expect(promptText(prompts[0]!)).toContain('"createHoliday"');
        expect(promptText(prompts[0]!)).not.toContain('"search_refunds"');
        expect(promptText(prompts[1]!)).toContain('"search_refunds"');
        const { message, finish_reason } = body.choices[0];
        expect(finish_reason).toBe('tool_calls');
        expect(message.tool_calls).toMatchObject([{ function: { name: 'search_refunds' } }]);
        expect(body.x_rawcall.calls).toMatchObject([{ name: 'find_tools' }]);
        // What was called is on offer at the next request, too.
        const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'none' };
        await ask(server, { messages: [holiday, message, result] });
        expect(promptText(prompts[2]!)).toContain('"search_refunds"');
      },
      chosen(),
    ));

  test('with --run-tools it runs what it found', () =>
    recorded(
      [call('find_tools', { query: 'search refunds' }), refund, 'Found.'],
      async server => {
        const { body } = await ask(server, { messages: [holiday] });
        expect(body.choices[0].message.content).toBe('Found.');
        expect(body.x_rawcall.run).toMatchObject({ turns: 3, tool_runs: 1 });
      },
      chosen({}),
    ));
});

describe('in other APIs', () => {
  const input = 'Weather in Oslo?';

  test('responses: items of the kind mcp_call, which a client may send back', () => {
    const { source: _, ...options } = runsHere();
    return recorded(
      [`Well. ${oslo}`, 'It is 4.', 'Yes.'],
      async (server, { prompts }) => {
        const events = namedEvents(await stream(server, { input }, 'responses'));
        expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_event, at) => at));
        expect(events.filter(({ event }) => event === 'response.created')).toHaveLength(1);
        const ran = events.filter(({ data }) => data.output_index === 1);
        expect(ran.map(({ event }) => event)).toEqual([
          'response.output_item.added',
          'response.mcp_call.in_progress',
          'response.mcp_call_arguments.delta',
          'response.mcp_call_arguments.done',
          'response.mcp_call.completed',
          'response.output_item.done',
        ]);
        const { output } = events.at(-1)!.data.response;
        expect(output).toMatchObject([
          { type: 'message', content: [{ text: 'Well.' }] },
          {
            type: 'mcp_call',
            server_label: 'sky',
            name: 'get_weather',
            arguments: '{"city":"Oslo"}',
            output: '4 degrees in Oslo',
            error: null,
          },
          { type: 'message', content: [{ text: 'It is 4.' }] },
        ]);
        const asked = { role: 'user', content: input };
        const again = [asked, ...output, { role: 'user', content: 'Sure?' }];
        const { status } = await ask(server, { input: again }, 'responses');
        expect(status).toBe(200);
        const [, second = '', third = ''] = prompts.map(promptText);
        expect(third.startsWith(`${second}It is 4.`)).toBe(true);
      },
      options,
    );
  });

  test('messages: blocks of the kinds mcp_tool_use and mcp_tool_result, which a client may send back', () => {
    const { source: _, ...options } = runsHere();
    return recorded(
      [`Well. ${oslo}`, 'It is 4.', `Well. ${oslo}`, 'It is 4.', 'Yes.'],
      async (server, { prompts }) => {
        const asked = { role: 'user', content: input };
        const events = namedEvents(await stream(server, { messages: [asked] }, 'messages'));
        const starts = events.filter(({ event }) => event === 'content_block_start');
        expect(starts.map(({ data }) => [data.index, data.content_block.type])).toEqual([
          [0, 'text'],
          [1, 'mcp_tool_use'],
          [2, 'mcp_tool_result'],
          [3, 'text'],
        ]);
        expect(events.filter(({ event }) => event === 'content_block_stop')).toHaveLength(4);
        expect(events.at(-2)!.data).toMatchObject({ delta: { stop_reason: 'end_turn' } });

        const { body } = await ask(server, { messages: [asked] }, 'messages');
        expect(body.content).toMatchObject([
          { type: 'text', text: 'Well.' },
          { type: 'mcp_tool_use', server_name: 'sky', name: 'get_weather', input: { city: 'Oslo' } },
          { type: 'mcp_tool_result', is_error: false, content: [{ text: '4 degrees in Oslo' }] },
          { type: 'text', text: 'It is 4.' },
        ]);
        const reply = { role: 'assistant', content: body.content };
        const messages = [asked, reply, { role: 'user', content: 'Sure?' }];
        expect((await ask(server, { messages }, 'messages')).status).toBe(200);
        const [, , , fourth = '', fifth = ''] = prompts.map(promptText);
        expect(fifth.startsWith(`${fourth}It is 4.`)).toBe(true);
      },
      options,
    );
  });
});

test('the clients of both APIs take a stream in which something ran', () => {
  const { source: _, ...options } = runsHere();
  return recorded(
    [`Well. ${oslo}`, 'It is 4.', `Well. ${oslo}`, 'It is 4.'],
    async server => {
      const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });
      const response = await openai.responses.stream({ model: 'practice', input: 'Oslo?' }).finalResponse();
      expect(response.output.map(({ type }) => type)).toEqual(['message', 'mcp_call', 'message']);
      expect(response.output[1]).toMatchObject({ arguments: '{"city":"Oslo"}', output: '4 degrees in Oslo' });
      const message = await anthropicClient(server)
        .messages.stream({
          model: 'practice',
          max_tokens: 500,
          messages: [{ role: 'user', content: 'Oslo?' }],
        })
        .finalMessage();
      expect(message.content.map(({ type }) => type)).toEqual([
        'text',
        'mcp_tool_use',
        'mcp_tool_result',
        'text',
      ]);
    },
    options,
  );
});

test('a text comes letter by letter also behind a result', () => {
  const { source: _, ...options } = runsHere();
  return recorded(
    [letters(oslo), letters('It is 4.')],
    async server => {
      const chunks = chunksOf(await stream(server, { messages: [question] }));
      // A space waits for the letter behind it.
      expect(chunks.filter(({ choices: [choice] }) => choice.delta.content).length).toBeGreaterThan(4);
    },
    options,
  );
});
