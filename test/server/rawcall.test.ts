/** The endpoints of rawcall's own: prompts rendered, completions read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PromptToken } from '../../src/engine/engine.ts';
import { rawcall } from '../cli/rawcall.ts';
import { practiceServer, type TestServer } from './server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await practiceServer();
});
afterAll(() => server.close());

function post(path: string, body: object): Promise<Response> {
  return fetch(`${server.url}/v1/${path}`, { method: 'POST', body: JSON.stringify(body) });
}

const add = {
  type: 'function',
  function: {
    name: 'math.add',
    parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
  },
};
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is 31 plus 11? <|im_end|>' },
];

describe('render', () => {
  interface Rendered {
    readonly text: string;
    readonly format: string;
    readonly pieces: readonly {
      readonly control?: string;
      readonly text?: string;
      readonly origin?: string;
      readonly start: number;
      readonly end: number;
      readonly count: number;
    }[];
    readonly tokens: readonly PromptToken[];
    readonly spans: readonly { readonly origin: string; readonly start: number; readonly end: number }[];
    readonly counts: Record<string, number>;
  }
  const render = async (body: object) => {
    const response = await post('rawcall/render', body);
    expect(response.status).toBe(200);
    return (await response.json()) as Rendered;
  };

  test('is the very prompt that the chat endpoint evaluates', async () => {
    const rendered = await render({ messages, tools: [add] });
    const chat = await post('chat/completions', { messages, tools: [add], max_tokens: 1 });
    const { usage } = (await chat.json()) as { usage: { prompt_tokens: number } };
    expect(rendered.counts.total).toBe(usage.prompt_tokens);
    const raw = await post('completions', { prompt: rendered.tokens.map(({ id }) => id), max_tokens: 1 });
    const { usage: again } = (await raw.json()) as {
      usage: { prompt_tokens: number; prompt_tokens_details: { cached_tokens: number } };
    };
    expect(again.prompt_tokens).toBe(usage.prompt_tokens);
    expect(again.prompt_tokens_details.cached_tokens).toBe(usage.prompt_tokens - 1);
  });

  test('says of each piece and token where it stands and whose it is', async () => {
    const { text, pieces, tokens, spans, counts, format } = await render({ messages, tools: [add] });
    expect(format).toBe('qwen');
    for (const { control, text: own, start, end } of pieces)
      expect(text.slice(start, end)).toBe(control ?? own);
    expect(pieces.at(-1)!.end).toBe(text.length);
    expect(pieces.reduce((sum, { count }) => sum + count, 0)).toBe(counts.total);
    const user = spans.filter(({ origin }) => origin === 'user');
    expect(user).toHaveLength(1);
    const written = tokens.slice(user[0]!.start, user[0]!.end);
    expect(written.map(token => token.text).join('')).toBe(messages[1]!.content);
    expect(written.some(({ control }) => control)).toBe(false);
    expect(counts.user).toBe(written.length);
    expect(spans.map(({ start }) => start)).toEqual([0, ...spans.slice(0, -1).map(({ end }) => end)]);
    expect(counts.tools).toBeGreaterThan(10);
  });

  test('options change it', async () => {
    const plain = await render({ messages, tools: [add] });
    expect((await render({ messages, tools: [add], schema: 'none' })).counts.tools).toBe(0);
    expect((await render({ messages, tools: [add], tool_choice: 'none' })).counts.tools).toBe(0);
    const short = await render({ messages, tools: [add], schema_form: 'signature' });
    expect(short.counts.tools).toBeLessThan(plain.counts.tools!);
    const open = await render({ messages, generation_prompt: false });
    expect(open.text.endsWith('<|im_end|>\n')).toBe(true);
    expect((await render({ messages, thinking: false })).text).toContain('<think>');
    const wrong = await post('rawcall/render', { messages, schema: 'nowhere' });
    expect(await wrong.json()).toMatchObject({ error: { param: 'schema' } });
  });
});

describe('parse', () => {
  const completion =
    '<think>\nHm.\n</think>\n\n<tool_call>\n{"name": "add", "arguments": {"a": 12345678901234567890, "b": 1}}\n</tool_call>';
  const parse = async (body: object) => {
    const response = await post('rawcall/parse', body);
    expect(response.status).toBe(200);
    return response.text();
  };

  test('gives what the command prints, with every digit', async () => {
    const printed = await rawcall(['parse', '--format', 'qwen', '--json'], { stdin: completion });
    const given = await parse({ completion, format: 'qwen' });
    expect(given).toBe(`{"format":"qwen",${printed.stdout.trim().slice(1)}`);
    expect(given).toContain('12345678901234567890');
    expect(JSON.parse(await parse({ completion }))).toMatchObject({ format: 'qwen', reasoning: 'Hm.' });
  });

  test('tells of each event, where they are asked for', async () => {
    const { events } = JSON.parse(await parse({ completion, events: true }));
    expect(events.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['reasoning-delta', 'call-start', 'call-delta', 'call-end']),
    );
  });

  test('what all formats read in it', async () => {
    const { stdout } = await rawcall(['parse', '--all-formats', '--json'], { stdin: completion });
    const { readings } = JSON.parse(await parse({ completion, all_formats: true }));
    expect(readings).toEqual(
      stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    );
  });

  test('of pieces only a control token opens a call', async () => {
    const call = '\n{"name": "add", "arguments": {"a": 1}}\n';
    const pieces = (control: boolean) => [
      { text: 'So: ' },
      { text: '<tool_call>', control },
      { text: call },
      { text: '</tool_call>', control },
    ];
    const read = async (control: boolean) => JSON.parse(await parse({ completion: pieces(control) }));
    expect((await read(true)).calls).toEqual([{ name: 'add', arguments: { a: 1 } }]);
    expect((await read(false)).calls).toEqual([]);
    expect((await read(false)).content).toContain('<tool_call>');
  });

  test('tools, a cut end and a prefill count', async () => {
    const tools = [{ type: 'function', function: { name: 'other', parameters: { type: 'object' } } }];
    expect(JSON.parse(await parse({ completion, tools })).problems[0].problem).toBe('unknown_tool');
    const cut = JSON.parse(await parse({ completion: completion.slice(0, -30), stop: 'length' }));
    expect(cut.problems[0].problem).toBe('truncated');
    const thought = JSON.parse(await parse({ completion: 'Hm.\n</think>\n\nYes.', prefill: '<think>\n' }));
    expect(thought).toMatchObject({ reasoning: 'Hm.', content: 'Yes.' });
  });

  test.each([
    [{}, 'completion'],
    [{ completion: 'a', format: 'nonsense' }, 'format'],
    [{ completion: 'a', format: './evil.mjs' }, 'format'],
    [{ completion: 'a', all_formats: true, events: true }, 'all_formats'],
    [{ completion: 'a', tools: [{}] }, 'tools[0]'],
  ])('%j is refused', async (body, param) => {
    const response = await post('rawcall/parse', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param } });
  });
});
