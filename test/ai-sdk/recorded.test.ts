/** The AI SDK over completions that a test wants: thoughts, broken calls, histories, settings, failures. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { LanguageModelV3Prompt, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { createProviderRegistry, generateText, jsonSchema, streamText, type ToolSet } from 'ai';
import { describe, expect, test } from 'vitest';
import { createRawcall, languageModel } from '../../src/ai-sdk/provider.ts';
import type { Engine, GenerateOptions } from '../../src/engine/engine.ts';
import { type RecordedCompletion, recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import { promptText } from '../../templates/prompt.ts';
import { practiceModel } from '../engine/practice.ts';
import { failingEngine, letters, writingEngine } from '../server/recorded.ts';

const format = formatNamed('qwen');
const schema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
} as const;
const tools: ToolSet = {
  add: { description: 'Adds two numbers.', inputSchema: jsonSchema(schema as object) },
};
const prompt = 'Add 1 and 2.';

function recorded(...completions: RecordedCompletion[]) {
  const engine = recordedEngine(completions.map(one => (typeof one === 'string' ? letters(one) : one)));
  return { engine, model: languageModel({ engine, format }) };
}

/** The engine's options of each generation. */
function watched(completion: string) {
  const options: GenerateOptions[] = [];
  const { engine } = recorded(completion);
  const watching: Engine = {
    ...engine,
    generate(given, asked = {}) {
      options.push(asked);
      return engine.generate(given, asked);
    },
  };
  return { options, model: languageModel({ engine: watching, format }) };
}

const call = (args: string, name = 'add') =>
  `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;

describe('what the model wrote', () => {
  const completion = `<think>\nEasy.\n</think>\n\nI add.\n${call('{"a": 1, "b": 2}')}`;

  test('thoughts, text and a call, whole', async () => {
    const { content, reasoningText, text, finishReason } = await generateText({
      model: recorded(completion).model,
      prompt,
      tools,
    });
    expect([reasoningText, text, finishReason]).toEqual(['Easy.', 'I add.', 'tool-calls']);
    expect(content).toMatchObject([
      { type: 'reasoning', text: 'Easy.' },
      { type: 'text', text: 'I add.' },
      { type: 'tool-call', toolName: 'add', input: { a: 1, b: 2 } },
    ]);
  });

  test('and streamed: each part begins, grows and ends before the next one', async () => {
    const { stream } = await recorded(completion).model.doStream({
      prompt: asked(prompt),
      tools: [{ type: 'function', name: 'add', inputSchema: { type: 'object' } }],
    });
    const parts = await all(stream);
    expect(parts.map(({ type }) => type).filter((type, at, types) => type !== types[at - 1])).toEqual([
      'stream-start',
      'response-metadata',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'text-end',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'finish',
    ]);
    const ids = parts.flatMap(part => ('id' in part && part.type.endsWith('-start') ? [part.id] : []));
    expect(new Set(ids).size).toBe(3);
    expect(parts.find(({ type }) => type === 'tool-call')).toMatchObject({
      toolCallId: ids[2],
      input: '{"a":1,"b":2}',
    });
  });

  test('a call that was mended and one that could not be read are in the provider’s metadata', async () => {
    const { providerMetadata, toolCalls, text } = await generateText({
      model: recorded(`${call("{'a': 1, 'b': 2}")}\n${call('{}', 'fly')}`).model,
      prompt,
      tools,
    });
    expect(toolCalls).toMatchObject([{ toolName: 'add', input: { a: 1, b: 2 } }]);
    expect(text).toContain('"fly"');
    expect(providerMetadata).toMatchObject({
      rawcall: {
        repairs: [expect.any(String)],
        problems: [{ problem: 'unknown_tool', toolName: 'fly', raw: expect.stringContaining('"fly"') }],
      },
    });
  });

  test('arguments that do not fit are the SDK’s to judge', async () => {
    const { toolCalls } = await generateText({
      model: recorded(call('{"a": "many"}')).model,
      prompt,
      tools,
    });
    expect(toolCalls).toMatchObject([{ toolName: 'add', input: { a: 'many' } }]);
  });

  test('a call that was cut is none', async () => {
    const cut = {
      pieces: letters('<tool_call>\n{"name": "add", "arguments": {"a": 1,'),
      reason: 'length',
    } as const;
    const { toolCalls, finishReason, providerMetadata } = await generateText({
      model: recorded(cut).model,
      prompt,
      tools,
    });
    expect([toolCalls, finishReason]).toEqual([[], 'length']);
    expect(providerMetadata).toMatchObject({ rawcall: { problems: [{ problem: 'truncated' }] } });
    const { stream } = await recorded(cut).model.doStream({ prompt: asked(prompt) });
    expect((await all(stream)).map(({ type }) => type)).not.toContain('tool-call');
  });

  test('raw chunks are the events of the turn, where they are wanted', async () => {
    const raw = async (includeRawChunks: boolean) => {
      const { fullStream } = streamText({ model: recorded('Fine.').model, prompt, includeRawChunks });
      const types: unknown[] = [];
      for await (const part of fullStream)
        if (part.type === 'raw') types.push((part.rawValue as { type: string }).type);
      return [...new Set(types)];
    };
    expect(await raw(true)).toEqual(['turn-start', 'text-delta', 'completion-end', 'usage']);
    expect(await raw(false)).toEqual([]);
  });
});

describe('the prompt', () => {
  test('each part reaches it as who said it', async () => {
    const { engine, model } = recorded('Fine.');
    await generateText({
      model,
      tools,
      system: 'Be short.',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Add.' },
            { type: 'text', text: 'Twice.' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Two.' },
            { type: 'text', text: 'I do both.' },
            { type: 'tool-call', toolCallId: 'x', toolName: 'add', input: { a: 1, b: 2 } },
            { type: 'tool-call', toolCallId: 'y', toolName: 'add', input: { a: 3, b: 4 } },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'y',
              toolName: 'add',
              output: { type: 'json', value: { sum: 7 } },
            },
            {
              type: 'tool-result',
              toolCallId: 'x',
              toolName: 'add',
              output: { type: 'execution-denied', reason: 'Not today.' },
            },
          ],
        },
      ],
    });
    expect(promptText(engine.prompts[0]!)).toBe(
      promptText(
        format.template.render({
          tools: [
            {
              name: 'add',
              description: 'Adds two numbers.',
              inputSchema: schema,
            },
          ],
          messages: [
            { role: 'system', content: 'Be short.' },
            { role: 'user', content: 'Add.\nTwice.' },
            {
              role: 'assistant',
              reasoning: 'Two.',
              content: 'I do both.',
              toolCalls: [
                { id: 'x', name: 'add', arguments: { a: 1, b: 2 }, argumentsText: '{"a":1,"b":2}' },
                { id: 'y', name: 'add', arguments: { a: 3, b: 4 }, argumentsText: '{"a":3,"b":4}' },
              ],
            },
            { role: 'tool', callId: 'y', name: 'add', content: '{"sum": 7}' },
            {
              role: 'tool',
              callId: 'x',
              name: 'add',
              content: 'The user refused this call: Not today.',
              isError: true,
            },
          ],
        }),
      ),
    );
  });

  test.each<[string, LanguageModelV3Prompt, string]>([
    [
      'a picture',
      [{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array([1]) }] }],
      'prompt[0].content[0]',
    ],
    [
      'a call without its result',
      [
        ...asked(prompt),
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'x', toolName: 'add', input: {} }] },
        ...asked('And?'),
      ],
      'prompt[1].content[0]',
    ],
    [
      'a result without its call',
      [
        ...asked(prompt),
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'x', toolName: 'add', output: { type: 'text', value: '3' } },
          ],
        },
      ],
      'prompt[1].content[0]',
    ],
  ])('%s is refused, with its place', async (_, given, place) => {
    const asking = recorded('Fine.').model.doGenerate({ prompt: given });
    await expect(asking).rejects.toMatchObject({
      code: 'bad_messages',
      message: expect.stringContaining(place),
    });
  });
});

describe('settings', () => {
  test('each of them reaches the engine', async () => {
    const { options, model } = watched('Fine.');
    await generateText({
      model,
      prompt,
      temperature: 0.5,
      topP: 0.9,
      topK: 7,
      seed: 3,
      maxOutputTokens: 20,
      stopSequences: ['END'],
      providerOptions: { rawcall: { minP: 0.1, repeatPenalty: 1.2 } },
    });
    expect(options[0]).toMatchObject({
      sampling: { temperature: 0.5, topP: 0.9, topK: 7, seed: 3, minP: 0.1, repeatPenalty: 1.2 },
      maxTokens: 20,
      stops: [...format.template.stops, 'END'],
    });
  });

  test('thinking and parallel calls are turned off', async () => {
    const thinking = recorded('Fine.');
    const off = { providerOptions: { rawcall: { thinking: false, parallelToolCalls: false } } };
    await generateText({ model: thinking.model, prompt, ...off });
    expect(promptText(thinking.engine.prompts[0]!)).toMatch(/<think>\s+<\/think>\s+$/);
    const two = call('{"a": 1, "b": 2}') + call('{"a": 3, "b": 4}');
    const { model } = recorded(two, two);
    expect((await generateText({ model, prompt, tools })).toolCalls).toHaveLength(2);
    expect((await generateText({ model, prompt, tools, ...off })).toolCalls).toHaveLength(1);
  });

  test('what has no effect is warned of', async () => {
    // The SDK would print them, too.
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const { warnings } = await generateText({
      model: recorded('Fine.').model,
      prompt,
      presencePenalty: 1,
      frequencyPenalty: 1,
      tools: {
        search: { type: 'provider', id: 'other.search', args: {}, inputSchema: jsonSchema({}) } as never,
      },
    });
    expect(warnings).toMatchObject([
      { type: 'unsupported', feature: 'presencePenalty' },
      { type: 'unsupported', feature: 'frequencyPenalty' },
      { type: 'unsupported', feature: 'provider-defined tool other.search' },
    ]);
    expect((await generateText({ model: recorded('Fine.').model, prompt })).warnings).toEqual([]);
  });

  test.each([
    [{ temperature: 7 }, 'temperature'],
    [{ topP: -1 }, 'topP'],
    [{ providerOptions: { rawcall: { parallelCalls: true } } }, 'parallelCalls'],
  ])('%j is refused', async (given, word) => {
    await expect(generateText({ model: recorded('Fine.').model, prompt, ...given })).rejects.toMatchObject({
      code: 'api_error',
      message: expect.stringContaining(word),
    });
  });

  test('a format without a grammar cannot be held to a tool', async () => {
    const { grammar: _, ...parser } = format.parser;
    const model = languageModel({ engine: recordedEngine(['Fine.']), format: { ...format, parser } });
    await expect(generateText({ model, prompt, tools, toolChoice: 'required' })).rejects.toMatchObject({
      code: 'api_error',
      message: expect.stringContaining('no grammar'),
    });
  });
});

describe('failures', () => {
  test('in the middle: the stream says so and ends', async () => {
    const model = languageModel({ engine: failingEngine(), format });
    const { stream } = await model.doStream({ prompt: asked(prompt) });
    const parts = await all(stream);
    expect(parts.slice(-2)).toMatchObject([
      { type: 'error', error: { message: expect.stringContaining('is gone') } },
      { type: 'finish', finishReason: { unified: 'error' } },
    ]);
    await expect(generateText({ model, prompt })).rejects.toThrow('is gone');
  });

  test('before the first part: there is no stream', async () => {
    const asking = recorded('Fine.').model.doStream({
      prompt: asked(prompt),
      toolChoice: { type: 'required' },
    });
    await expect(asking).rejects.toMatchObject({ code: 'api_error' });
  });

  test('a model that is not there is said to be, and asked for again at the next call', async () => {
    const rawcall = createRawcall();
    for (const _ of [1, 2])
      await expect(generateText({ model: rawcall('no/such.gguf'), prompt })).rejects.toMatchObject({
        code: 'model_not_found',
      });
    await rawcall.close();
  });
});

describe('a turn that nobody wants any more gives the engine up', () => {
  function endless() {
    const told = { stopped: false };
    const engine = writingEngine(async function* () {
      try {
        for (;;) {
          yield { text: 'more ' };
          await setImmediate();
        }
      } finally {
        told.stopped = true;
      }
    });
    return { told, model: languageModel({ engine, format }) };
  }

  test('its reader leaves', async () => {
    const { told, model } = endless();
    const { stream } = await model.doStream({ prompt: asked(prompt) });
    const reader = stream.getReader();
    for (let parts = 0; parts < 5; parts++) await reader.read();
    await reader.cancel();
    await expect.poll(() => told.stopped, { timeout: 20_000 }).toBe(true);
  });

  test('its signal aborts, and nothing was streamed', async () => {
    const { told, model } = endless();
    const leaving = new AbortController();
    const asking = generateText({ model, prompt, abortSignal: leaving.signal });
    await setTimeout(50);
    leaving.abort();
    await expect(asking).rejects.toThrow(leaving.signal.reason.message);
    expect(told.stopped).toBe(true);
  });

  test('its signal aborts, and nobody reads on', async () => {
    const { told, model } = endless();
    const leaving = new AbortController();
    const { stream } = await model.doStream({ prompt: asked(prompt), abortSignal: leaving.signal });
    const reader = stream.getReader();
    for (let parts = 0; parts < 5; parts++) await reader.read();
    leaving.abort();
    await expect.poll(() => told.stopped, { timeout: 20_000 }).toBe(true);
    await expect(reader.read()).rejects.toThrow(leaving.signal.reason.message);
  });
});

test('a registry finds the models, and embeddings are refused', async () => {
  const rawcall = createRawcall({ format: 'qwen', contextSize: 1024, gpu: 'off' });
  const registry = createProviderRegistry({ rawcall });
  const model = registry.languageModel(`rawcall:${practiceModel}`);
  expect((await generateText({ model, prompt: 'Hello!' })).text).not.toBe('');
  await rawcall.close();
  // It is loaded again.
  expect((await generateText({ model, prompt: 'Hello!' })).text).not.toBe('');
  await rawcall.close();
  expect(() => registry.embeddingModel('rawcall:x')).toThrow(/language models only/);
});

function asked(text: string): LanguageModelV3Prompt {
  return [{ role: 'user', content: [{ type: 'text', text }] }];
}

async function all(stream: ReadableStream<LanguageModelV3StreamPart>): Promise<LanguageModelV3StreamPart[]> {
  const parts: LanguageModelV3StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}
