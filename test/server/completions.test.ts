/** Raw prompts, by OpenAI's own client over a socket and byte for byte. */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { practiceModel, question } from '../engine/practice.ts';
import { startServer, type TestServer } from './server.ts';

let engine: LlamaEngine;
let server: TestServer;
let client: OpenAI;
beforeAll(async () => {
  engine = await openLlamaEngine({ model: practiceModel, contextSize: 1024, gpu: 'off' });
  server = await startServer(engine);
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

const pieces = question('What is 31 plus 11?').map(piece =>
  'control' in piece ? piece : { text: piece.text },
);
const flat = '<|im_start|>user\nWhat is 31 plus 11?<|im_end|>\n<|im_start|>assistant\n';
const count = (prompt: Parameters<LlamaEngine['countTokens']>[0]) => engine.countTokens(prompt);
const ids = () => engine.tokenize(question('What is 31 plus 11?')).map(({ id }) => id);

interface Answer {
  readonly object: string;
  readonly choices: readonly {
    readonly text: string;
    readonly finish_reason: string | null;
    readonly logprobs: OpenAI.Completions.CompletionChoice.Logprobs | null;
    readonly x_rawcall?: { readonly pieces: readonly object[] };
  }[];
  readonly usage?: OpenAI.Completions.CompletionUsage;
}
async function ask(body: object): Promise<Answer> {
  const response = await post(body);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}
function post(body: object): Promise<Response> {
  return fetch(`${server.url}/v1/completions`, {
    method: 'POST',
    body: JSON.stringify({ max_tokens: 40, ...body }),
  });
}

describe('the prompt', () => {
  test('as a text is text alone, whatever it spells; as pieces or ids, or where it was said, it has control tokens', async () => {
    const asText = await ask({ prompt: flat });
    const asPieces = await ask({ x_rawcall: { prompt: pieces } });
    const asIds = await ask({ prompt: ids() });
    const special = await ask({ prompt: flat, x_rawcall: { special: true } });
    expect(asText.usage?.prompt_tokens).toBe(count([{ text: flat, origin: 'user' }]));
    expect(asPieces.usage?.prompt_tokens).toBe(ids().length);
    expect(asText.usage!.prompt_tokens).toBeGreaterThan(ids().length);
    for (const answer of [asIds, special]) {
      expect(answer.usage?.prompt_tokens).toBe(ids().length);
      expect(answer.choices[0]!.text).toBe(asPieces.choices[0]!.text);
    }
    expect(asPieces.choices[0]!.finish_reason).toBe('stop');
    expect(asPieces.choices[0]!.text).not.toContain('<|im_end|>');
  });

  test('text among pieces forges nothing', async () => {
    const text = 'x<|im_end|>y';
    const { usage } = await ask({ x_rawcall: { prompt: [{ text }] } });
    expect(usage?.prompt_tokens).toBe(count([{ text, origin: 'user' }]));
    expect(engine.tokenize([{ text, origin: 'user' }]).some(({ control }) => control)).toBe(false);
  });

  test('that was evaluated before is found again', async () => {
    await ask({ prompt: ids() });
    const { usage } = await ask({ prompt: ids() });
    expect(usage?.prompt_tokens_details?.cached_tokens).toBe(ids().length - 1);
  });

  test.each([
    [{}, 'prompt'],
    [{ prompt: '' }, 'prompt'],
    [{ prompt: ['a', 'b'] }, 'prompt'],
    [{ prompt: [9_999_999] }, 'prompt'],
    [{ x_rawcall: { prompt: [{ control: '<|nowhere|>' }] } }, 'x_rawcall.prompt[0]'],
    [{ x_rawcall: { prompt: [{ test: 'a' }] } }, 'x_rawcall.prompt[0]'],
    [{ prompt: 'a', x_rawcall: { prompt: [{ text: 'b' }] } }, 'x_rawcall.prompt'],
    [{ prompt: 'a', n: 2 }, 'n'],
    [{ prompt: 'a', best_of: 3 }, 'best_of'],
    [{ prompt: 'a', suffix: 'z' }, 'suffix'],
    [{ prompt: 'a', logprobs: 21 }, 'logprobs'],
    [{ prompt: 'a', echo: true, logprobs: 1 }, 'logprobs'],
    [{ prompt: 'a', x_rawcall: { grammar: 'root ::= nothing' } }, 'x_rawcall.grammar'],
    [
      {
        prompt: 'a',
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { enum: [] } } },
      },
      'response_format',
    ],
  ])('%j is refused, streamed or not', async (body, param) => {
    for (const stream of [false, true]) {
      const response = await post({ ...body, stream });
      expect(response.status).toBe(400);
      const { error } = (await response.json()) as { error: { param: string; message: string } };
      expect(error.param).toBe(param);
      expect(error.message.length).toBeGreaterThan(10);
    }
    expect(server.errors).toEqual([]);
  });
});

test('a prompt that the context cannot hold is refused, streamed or not', async () => {
  for (const stream of [false, true]) {
    const response = await post({ prompt: 'word '.repeat(3000), stream });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { param: 'prompt', code: 'context_length_exceeded' },
    });
  }
});

test('the client’s own shape, whole and streamed, with the same words', async () => {
  const body = { model: 'practice', prompt: ids(), max_tokens: 40 };
  const whole = await client.completions.create(body);
  expect(whole).toMatchObject({ object: 'text_completion', model: 'practice' });
  expect(whole.usage!.total_tokens).toBe(whole.usage!.prompt_tokens + whole.usage!.completion_tokens);

  let text = '';
  const ends: (string | null)[] = [];
  const usages: unknown[] = [];
  const stream = await client.completions.create({
    ...body,
    stream: true,
    stream_options: { include_usage: true },
  });
  for await (const chunk of stream) {
    text += chunk.choices[0]?.text ?? '';
    if (chunk.choices[0]) ends.push(chunk.choices[0].finish_reason);
    usages.push(chunk.usage);
  }
  expect(text).toBe(whole.choices[0]!.text);
  expect(ends.filter(end => end !== null)).toEqual(['stop']);
  expect(ends.length).toBeGreaterThan(3);
  expect(usages.at(-1)).toMatchObject({ completion_tokens: whole.usage!.completion_tokens });
  expect(usages.slice(0, -1).every(usage => usage === null)).toBe(true);
});

test('the bytes of a stream: data lines, one id, no usage that nobody asked for, and its end', async () => {
  const bytes = await (await post({ prompt: ids(), stream: true })).text();
  const lines = bytes.split('\n\n').filter(line => line !== '');
  expect(lines.every(line => line.startsWith('data: '))).toBe(true);
  expect(lines.at(-1)).toBe('data: [DONE]');
  const chunks = lines.slice(0, -1).map(line => JSON.parse(line.slice(6)));
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  expect(chunks.some(chunk => 'usage' in chunk)).toBe(false);
  expect(chunks.at(-1).choices).toEqual([{ index: 0, text: '', logprobs: null, finish_reason: 'stop' }]);
});

test('stop, seed, echo and max_tokens', async () => {
  const { choices } = await ask({ x_rawcall: { prompt: pieces } });
  const word = choices[0]!.text.slice(4, 8);
  const stopped = await ask({ x_rawcall: { prompt: pieces }, stop: word });
  expect(stopped.choices[0]).toMatchObject({
    text: choices[0]!.text.slice(0, choices[0]!.text.indexOf(word)),
    finish_reason: 'stop',
  });
  const wild = (seed: number) => ask({ prompt: 'a', seed, temperature: 2, top_p: 1, top_k: 0 });
  expect((await wild(1)).choices).toEqual((await wild(1)).choices);
  expect((await wild(1)).choices).not.toEqual((await wild(2)).choices);
  const echoed = await ask({ prompt: flat, x_rawcall: { special: true }, echo: true, max_tokens: 0 });
  expect(echoed.choices[0]).toMatchObject({ text: flat, finish_reason: 'length' });
  expect(echoed.usage?.completion_tokens).toBe(0);
  const usual = await client.completions.create({ model: 'practice', prompt: 'a', temperature: 2, seed: 4 });
  expect(usual.usage!.completion_tokens).toBeLessThanOrEqual(16);
});

test('a grammar of the client’s own, or the schema of a response format', async () => {
  const { choices } = await ask({ prompt: ids(), x_rawcall: { grammar: 'root ::= "zebra" [0-9]{3}' } });
  expect(choices[0]).toMatchObject({ text: expect.stringMatching(/^zebra\d{3}$/), finish_reason: 'stop' });
  const schema = { type: 'object', properties: { ok: { enum: [true] } }, required: ['ok'] };
  const formatted = await ask({
    prompt: ids(),
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'n', schema: { ...schema, additionalProperties: false } },
    },
  });
  expect(JSON.parse(formatted.choices[0]!.text)).toEqual({ ok: true });
});

test('logprobs stand beside the tokens, whole and streamed', async () => {
  const body = { model: 'practice', prompt: ids(), max_tokens: 12, logprobs: 2 };
  const [choice] = (await client.completions.create(body)).choices;
  const { tokens, token_logprobs, top_logprobs, text_offset } = choice!.logprobs!;
  expect(tokens!.join('')).toBe(choice!.text);
  expect(text_offset!.map((at, index) => choice!.text.slice(at).startsWith(tokens![index]!))).not.toContain(
    false,
  );
  for (const [index, top] of top_logprobs!.entries()) {
    expect(Object.keys(top)).toHaveLength(2);
    expect(top[tokens![index]!]).toBe(token_logprobs![index]);
    expect(token_logprobs![index]).toBe(Math.max(...Object.values(top)));
  }
  const stream = await client.completions.create({ ...body, stream: true });
  const streamed: { tokens: string[]; offsets: number[] } = { tokens: [], offsets: [] };
  for await (const { choices } of stream) {
    streamed.tokens.push(...(choices[0]!.logprobs?.tokens ?? []));
    streamed.offsets.push(...(choices[0]!.logprobs?.text_offset ?? []));
  }
  expect(streamed).toEqual({ tokens, offsets: text_offset });
});

test('pieces tell control tokens from their letters, and go on exactly', async () => {
  const { choices } = await ask({ prompt: ids(), x_rawcall: { pieces: true } });
  const told = choices[0]!.x_rawcall!.pieces as { text: string; tokens: number[] }[];
  expect(told.map(({ text }) => text).join('')).toBe(choices[0]!.text);
  const written = told.flatMap(({ tokens }) => tokens);
  const next = await ask({ prompt: [...ids(), ...written], max_tokens: 1 });
  expect(next.usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThanOrEqual(
    ids().length + written.length - 1,
  );
});

describe('logprobs of the chat API', () => {
  const body = {
    model: 'practice',
    messages: [{ role: 'user', content: 'Hello!' }],
    max_tokens: 24,
    logprobs: true,
    top_logprobs: 3,
  } satisfies OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

  test('are those of the text, whole and streamed', async () => {
    const [choice] = (await client.chat.completions.create(body)).choices;
    const content = choice!.logprobs!.content!;
    expect(
      content
        .map(({ token }) => token)
        .join('')
        .trim(),
    ).toBe(choice!.message.content);
    for (const { token, logprob, bytes, top_logprobs } of content) {
      expect(Buffer.from(bytes!).toString()).toBe(token);
      expect(top_logprobs).toHaveLength(3);
      expect(top_logprobs[0]).toMatchObject({ token, logprob });
    }
    const stream = await client.chat.completions.create({ ...body, stream: true });
    const streamed = [];
    for await (const chunk of stream) streamed.push(...(chunk.choices[0]?.logprobs?.content ?? []));
    expect(streamed).toEqual(content);
  });

  test('a call has none of them, and what was not asked for is not there', async () => {
    const tool = { type: 'function', function: { name: 'add', parameters: { type: 'object' } } } as const;
    const called = await client.chat.completions.create({
      ...body,
      messages: [{ role: 'user', content: 'What is 31 plus 11?' }],
      max_tokens: 100,
      tools: [tool],
      tool_choice: 'required',
    });
    expect(called.choices[0]!.message.tool_calls).toHaveLength(1);
    expect(called.choices[0]!.logprobs!.content).toEqual([]);
    const { logprobs: _, top_logprobs: __, ...plain } = body;
    expect((await client.chat.completions.create(plain)).choices[0]!.logprobs).toBeNull();
    await expect(client.chat.completions.create({ ...body, logprobs: false })).rejects.toMatchObject({
      param: 'top_logprobs',
    });
  });
});
