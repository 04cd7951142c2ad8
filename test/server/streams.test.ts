/** The chat API's streams, byte for byte, whatever the model writes. */
import { expect, test } from 'vitest';
import { formatNamed } from '../../src/format.ts';
import { recorded, writingEngine } from './recorded.ts';
import { startServer, type TestServer } from './server.ts';

const tool = (name: string, properties: object = {}) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties } },
});
const tools = [tool('play_song', { title: { type: 'string' } }), tool('pause')];
const messages = [{ role: 'user', content: 'Play something.' }];
const play = '<tool_call>\n{"name": "play_song", "arguments": {"title": "Mango"}}\n</tool_call>';
const pause = '<tool_call>\n{"name": "pause", "arguments": {}}\n</tool_call>';

function post({ url }: TestServer, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages, ...body }),
    ...(signal ? { signal } : {}),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: what tests look into is what they test
async function chunksOf(server: TestServer, body: object): Promise<any[]> {
  const response = await post(server, { ...body, stream: true });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const text = await response.text();
  expect(text).toMatch(/^(data: .+\n\n)+$/);
  const lines = text.trimEnd().split('\n\n');
  expect(lines.pop()).toBe('data: [DONE]');
  return lines.map(line => JSON.parse(line.slice('data: '.length)));
}
// biome-ignore lint/suspicious/noExplicitAny: as above
const deltasOf = (chunks: any[]) => chunks.flatMap(({ choices: [choice] }) => choice?.delta ?? []);
// biome-ignore lint/suspicious/noExplicitAny: as above
const joined = (chunks: any[], key: string) =>
  deltasOf(chunks)
    .map(delta => delta[key] ?? '')
    .join('');
// biome-ignore lint/suspicious/noExplicitAny: as above
const finishOf = (chunks: any[]) => chunks.flatMap(({ choices: [choice] }) => choice?.finish_reason ?? []);

test('two calls have two indexes, an id and a name once each, and arguments that are joined by index', () =>
  recorded([`${play}\n${pause}`], async server => {
    const chunks = await chunksOf(server, { tools });
    const calls = deltasOf(chunks).flatMap(delta => delta.tool_calls ?? []);
    const heads = calls.filter(({ id }) => id !== undefined);
    expect(heads).toEqual([
      { index: 0, id: heads[0].id, type: 'function', function: { name: 'play_song', arguments: '' } },
      { index: 1, id: heads[1].id, type: 'function', function: { name: 'pause', arguments: '' } },
    ]);
    expect(heads[0].id).not.toBe(heads[1].id);
    const others = calls.filter(({ id }) => id === undefined);
    expect(others.every(({ type, function: { name } }) => type === undefined && name === undefined)).toBe(
      true,
    );
    const texts = [0, 1].map(at =>
      others.map(({ index, function: part }) => (index === at ? part.arguments : '')).join(''),
    );
    expect(texts).toEqual(['{"title":"Mango"}', '{}']);
    expect(joined(chunks, 'content')).toBe('');
    expect(finishOf(chunks)).toEqual(['tool_calls']);
  }));

test('usage is a last chunk without choices where it is asked for, and null before', () =>
  recorded([play], async server => {
    const chunks = await chunksOf(server, { tools, stream_options: { include_usage: true } });
    const last = chunks.pop();
    expect(chunks.every(chunk => chunk.usage === null)).toBe(true);
    expect(last.choices).toEqual([]);
    const { prompt_tokens, completion_tokens, total_tokens } = last.usage;
    expect([completion_tokens, total_tokens]).toEqual([play.length, prompt_tokens + completion_tokens]);
    expect(last.usage.prompt_tokens_details).toHaveProperty('cached_tokens');
  }));

test('tools that are not called, or an empty list of them, leave the text as it comes', () =>
  recorded(['Silence it is.', 'Silence it is.'], async server => {
    for (const offered of [tools, []]) {
      const chunks = await chunksOf(server, { tools: offered });
      expect(joined(chunks, 'content')).toBe('Silence it is.');
      expect(deltasOf(chunks).filter(({ content }) => content).length).toBeGreaterThan(5);
      expect(finishOf(chunks)).toEqual(['stop']);
    }
  }));

test('parallel_tool_calls: false ends generation behind the first call', () =>
  recorded([`${pause}${play}`], async server => {
    const chunks = await chunksOf(server, {
      tools,
      parallel_tool_calls: false,
      stream_options: { include_usage: true },
    });
    const indexes = deltasOf(chunks).flatMap(({ tool_calls = [] }) =>
      tool_calls.map((one: { index: number }) => one.index),
    );
    expect(new Set(indexes)).toEqual(new Set([0]));
    expect(joined(chunks, 'content')).toBe('');
    expect(chunks.at(-1).usage.completion_tokens).toBeLessThan(pause.length + play.length);
  }));

test('the JSON of a call that nothing marks is never a text', () =>
  recorded(
    ['{"name": "play_song", "parameters": {"title": "Kiwi"}}'],
    async server => {
      const chunks = await chunksOf(server, { tools });
      expect(joined(chunks, 'content')).toBe('');
      expect(deltasOf(chunks).flatMap(delta => delta.tool_calls ?? [])[0].function.name).toBe('play_song');
    },
    { format: formatNamed('llama3-json') },
  ));

test('thoughts have a field of their own, and no mark of anything is in the text', () =>
  recorded([`<think>\nA song.\n</think>\n\nSure! ${play}`], async server => {
    const chunks = await chunksOf(server, { tools });
    expect(joined(chunks, 'reasoning_content').trim()).toBe('A song.');
    expect(joined(chunks, 'content').trim()).toBe('Sure!');
    expect(finishOf(chunks)).toEqual(['tool_calls']);
  }));

test('what is mended is JSON, what cannot be read is a text, and neither ends the server', () =>
  recorded(
    [
      "<tool_call>\n{'name': 'play_song', 'arguments': {'title': None}}\n</tool_call>",
      '<tool_call>\n{"name": "play_song", "arguments": {"title": ]}\n</tool_call>',
      'Still here.',
    ],
    async server => {
      const mended = await post(server, { tools: [tool('play_song')] }).then(response => response.json());
      expect(mended).toMatchObject({
        choices: [{ message: { tool_calls: [{ function: { arguments: '{"title":null}' } }] } }],
      });
      const chunks = await chunksOf(server, { tools });
      expect(joined(chunks, 'content')).toContain('play_song');
      expect(finishOf(chunks)).toEqual(['stop']);
      expect(joined(await chunksOf(server, {}), 'content')).toBe('Still here.');
    },
  ));

test('one that waits and goes away takes nobody with it', async () => {
  let release: () => void = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const server = await startServer(
    writingEngine(async function* () {
      yield { text: 'One, ' };
      await held;
      yield { text: 'two.' };
    }),
  );
  try {
    const first = post(server, { stream: true }).then(response => response.text());
    const gone = new AbortController();
    const second = post(server, {}, gone.signal);
    await expect
      .poll(async () => (await fetch(`${server.url}/metrics`)).text())
      .toMatch(/^rawcall_requests_waiting 1$/m);
    gone.abort();
    await expect(second).rejects.toThrow();
    release();
    expect(await first).toMatch(/"content":" two\.".*"finish_reason":"stop".*data: \[DONE\]\n\n$/s);
    expect((await post(server, {})).status).toBe(200);
    expect(server.errors).toEqual([]);
  } finally {
    await server.close();
  }
});

test('comments keep a stream alive while there is nothing to say, and clients skip them', async () => {
  let release: () => void = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const server = await startServer(
    writingEngine(async function* () {
      await held;
      yield { text: 'Late.' };
    }),
    { keepAlive: 10 },
  );
  try {
    const response = await post(server, { stream: true });
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of response.body!) {
      text += decoder.decode(bytes, { stream: true });
      if (text.split(': still there').length > 3) release();
    }
    const blocks = text.trimEnd().split('\n\n');
    expect(blocks.filter(block => block === ': still there').length).toBeGreaterThanOrEqual(3);
    expect(blocks.every(block => /^(: still there|data: .+)$/.test(block))).toBe(true);
    expect(text).toContain('"content":"Late."');
  } finally {
    await server.close();
  }
});
