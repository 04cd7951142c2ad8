/** The AI SDK over the practice model, without a server. */
import { generateText, Output, stepCountIs, streamText, tool } from 'ai';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRawcall } from '../../src/ai-sdk/provider.ts';
import { practiceModel } from '../engine/practice.ts';

const rawcall = createRawcall({ format: 'qwen', contextSize: 2048, gpu: 'off' });
const model = rawcall(practiceModel);
afterAll(() => rawcall.close());

const prompt = 'What is 31 plus 11?';
const made: unknown[] = [];
const add = tool({
  description: 'Adds two numbers.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => {
    made.push({ a, b });
    return String(a + b);
  },
});
const wave = tool({ description: 'Waves.', inputSchema: z.object({}), execute: () => 'waved' });

describe('tools in several steps', () => {
  test('generateText: a call, its result, the answer; the second prompt is found in the cache', async () => {
    made.length = 0;
    const { text, steps, totalUsage, response } = await generateText({
      model,
      prompt,
      // A name that no format can write.
      tools: { 'math.add': add },
      stopWhen: stepCountIs(3),
    });
    expect(text).toContain('42');
    expect(made).toEqual([{ a: 31, b: 11 }]);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(steps[0]!.toolCalls).toMatchObject([{ toolName: 'math.add', input: { a: 31, b: 11 } }]);
    const [first, second] = steps.map(({ usage }) => usage);
    expect(second!.inputTokenDetails.cacheReadTokens).toBeGreaterThanOrEqual(
      first!.inputTokens! + first!.outputTokens! - 2,
    );
    expect(second!.inputTokenDetails.noCacheTokens).toBe(
      second!.inputTokens! - second!.inputTokenDetails.cacheReadTokens!,
    );
    expect(totalUsage.inputTokens).toBe(first!.inputTokens! + second!.inputTokens!);
    expect(response.modelId).toBe(practiceModel);
    // What the model was given, to the byte.
    expect(steps[0]!.request.body).toContain('<|im_start|>user\nWhat is 31 plus 11?<|im_end|>');
    expect(steps[0]!.providerMetadata).toEqual({ rawcall: { problems: [], repairs: [] } });
  });

  test('streamText: the parts come in order, and the arguments come to the call’s', async () => {
    const result = streamText({ model, prompt, tools: { add, wave }, stopWhen: stepCountIs(3) });
    const parts = [];
    for await (const part of result.fullStream) parts.push(part);
    const kinds = parts.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
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
    const deltas = parts.flatMap(part => (part.type === 'tool-input-delta' ? [part.delta] : []));
    expect(deltas.length).toBeGreaterThan(3);
    expect(JSON.parse(deltas.join(''))).toEqual({ a: 31, b: 11 });
    expect(parts.find(({ type }) => type === 'tool-result')).toMatchObject({ output: '42' });
    expect(await result.text).toContain('42');
  });
});

describe('tool choice', () => {
  const called = async (toolChoice: Parameters<typeof generateText>[0]['toolChoice'], question: string) => {
    const { toolCalls } = await generateText({
      model,
      prompt: question,
      tools: { add, wave },
      toolChoice: toolChoice as never,
    });
    return new Set(toolCalls.map(({ toolName }) => toolName));
  };

  test('none, required and a named tool hold the model to them', async () => {
    expect(await called('none', prompt)).toEqual(new Set());
    expect((await called('required', 'Hello!')).size).toBeGreaterThan(0);
    expect(await called({ type: 'tool', toolName: 'wave' }, prompt)).toEqual(new Set(['wave']));
  });

  test('a tool that is not there is refused', async () => {
    await expect(called({ type: 'tool', toolName: 'fly' }, prompt)).rejects.toMatchObject({
      code: 'api_error',
      message: expect.stringContaining('"fly"'),
    });
  });
});

describe('structured output', () => {
  const schema = z.object({ sum: z.int() });

  test('an object of the schema, whatever the model would have said, whole and streamed', async () => {
    const whole = await generateText({ model, prompt, output: Output.object({ schema }) });
    expect(schema.parse(whole.output)).toEqual(whole.output);
    const streamed = streamText({ model, prompt, output: Output.object({ schema }) });
    expect(await streamed.output).toEqual(whole.output);
  });

  test('a choice', async () => {
    const options = ['small', 'large'] as const;
    const { output } = await generateText({
      model,
      prompt,
      output: Output.choice({ options: [...options] }),
    });
    expect(options).toContain(output);
  });
});

describe('a turn that is stopped', () => {
  test('by its tokens, and by a text', async () => {
    const cut = await generateText({ model, prompt: 'Hello!', maxOutputTokens: 2 });
    expect(cut.finishReason).toBe('length');
    expect(cut.usage.outputTokens).toBe(2);
    const whole = await generateText({ model, prompt: 'Hello!' });
    const stop = whole.text.slice(3, 6);
    const stopped = await generateText({ model, prompt: 'Hello!', stopSequences: [stop] });
    expect(stopped.finishReason).toBe('stop');
    expect(whole.text.startsWith(stopped.text)).toBe(true);
    expect(stopped.text).not.toContain(stop);
  });

  test('by its signal: the stream says so, and the engine serves the next call', async () => {
    const leaving = new AbortController();
    const result = streamText({ model, prompt: 'Hello!', abortSignal: leaving.signal });
    const kinds: string[] = [];
    for await (const part of result.fullStream) {
      kinds.push(part.type);
      if (part.type === 'text-delta') leaving.abort();
    }
    expect(kinds.at(-1)).toBe('abort');
    const { text } = await generateText({ model, prompt, tools: { add }, stopWhen: stepCountIs(3) });
    expect(text).toContain('42');
  });

  test('by its signal, before it began', async () => {
    const abortSignal = AbortSignal.abort();
    await expect(generateText({ model, prompt, abortSignal })).rejects.toThrow(abortSignal.reason.message);
  });

  test('a stream that is not read keeps nobody waiting, and loses nothing', async () => {
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello!' }] }],
    });
    const { text } = await generateText({ model, prompt: 'Hello!' });
    let read = '';
    for await (const part of stream) if (part.type === 'text-delta') read += part.delta;
    expect(read).toBe(text);
  });

  test('by a reader who leaves', async () => {
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello!' }] }],
    });
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    expect((await generateText({ model, prompt: 'Hello!' })).text).not.toBe('');
  });
});
