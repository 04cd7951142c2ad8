/** The AI SDK over a socket, by its client for servers that speak OpenAI's chat API. */
import { setImmediate } from 'node:timers/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, Output, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { recorded, writingEngine } from './recorded.ts';
import { practiceServer, startServer, type TestServer } from './server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await practiceServer();
});
afterAll(() => server.close());

function modelOf({ url }: TestServer) {
  return createOpenAICompatible({
    name: 'rawcall',
    baseURL: `${url}/v1`,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })('practice');
}

const prompt = 'What is 31 plus 11?';
const add = tool({
  description: 'Adds two numbers.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => String(a + b),
});

test('streamText runs a tool between two steps, whose prompts share what they begin with', async () => {
  const { fullStream, steps, text } = streamText({
    model: modelOf(server),
    prompt,
    tools: { 'math.add': add },
    stopWhen: stepCountIs(3),
  });
  const kinds: string[] = [];
  for await (const { type } of fullStream) if (type !== kinds.at(-1)) kinds.push(type);
  expect(kinds).toEqual([
    'start',
    'start-step',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-end',
    'tool-call',
    'tool-result',
    'finish-step',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'finish-step',
    'finish',
  ]);
  expect(await text).toContain('42');
  const [first, second] = await steps;
  expect(first!.toolCalls).toMatchObject([{ toolName: 'math.add', input: { a: 31, b: 11 } }]);
  expect([first!.finishReason, second!.finishReason]).toEqual(['tool-calls', 'stop']);
  expect(second!.usage.inputTokenDetails.cacheReadTokens).toBeGreaterThanOrEqual(
    first!.usage.inputTokens! + first!.usage.outputTokens! - 2,
  );
});

test('generateText does, too', async () => {
  const { text, steps } = await generateText({
    model: modelOf(server),
    prompt,
    tools: { add },
    stopWhen: stepCountIs(3),
  });
  expect(text).toContain('42');
  expect(steps).toHaveLength(2);
});

test('tool choice and structured output hold the model', async () => {
  const { toolCalls } = await generateText({
    model: modelOf(server),
    prompt: 'Hello!',
    tools: { add },
    toolChoice: { type: 'tool', toolName: 'add' },
  });
  expect(toolCalls.length).toBeGreaterThan(0);
  const { output } = await generateText({
    model: modelOf(server),
    prompt,
    output: Output.object({ schema: z.object({ sum: z.int() }) }),
  });
  expect(Object.keys(output)).toEqual(['sum']);
});

test('thoughts are reasoning parts', async () => {
  await recorded(['<think>\nEasy.\n</think>\n\nIt is 42.'], async own => {
    const { fullStream, reasoningText, text } = streamText({ model: modelOf(own), prompt });
    const kinds: string[] = [];
    for await (const { type } of fullStream) if (type !== kinds.at(-1)) kinds.push(type);
    expect(kinds.slice(2, -2)).toEqual([
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'text-end',
    ]);
    expect((await reasoningText)?.trim()).toBe('Easy.');
    expect((await text).trim()).toBe('It is 42.');
  });
});

test('an abort stops the generation', async () => {
  let stopped = false;
  const endless = writingEngine(async function* () {
    try {
      for (;;) {
        yield { text: 'more ' };
        await setImmediate();
      }
    } finally {
      stopped = true;
    }
  });
  const own = await startServer(endless);
  const leaving = new AbortController();
  const { fullStream } = streamText({ model: modelOf(own), prompt, abortSignal: leaving.signal });
  let last = '';
  for await (const { type } of fullStream) {
    last = type;
    if (type === 'text-delta') leaving.abort();
  }
  expect(last).toBe('abort');
  await expect.poll(() => stopped, { timeout: 20_000 }).toBe(true);
  await own.close();
});

test('an error of the server is the SDK’s', async () => {
  const asking = generateText({ model: modelOf(server), prompt: 'word '.repeat(5000), maxRetries: 0 });
  await expect(asking).rejects.toMatchObject({
    name: 'AI_APICallError',
    statusCode: 400,
    message: expect.stringContaining('context'),
  });
});
