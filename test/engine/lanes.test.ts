/** Lanes: each keeps what was evaluated for it, whatever the others do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQueue } from '../../src/engine/llama/queue.ts';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import type { Prompt } from '../../templates/template.ts';
import { collect, complete, practiceModel, question } from './practice.ts';

const options = { model: practiceModel, gpu: 'off', contextSize: 512, batchSize: 64 } as const;
const story = question(`Tell me of ${'rain and sun '.repeat(40)}`);
const sum = question('What is 31 plus 11?');

const opened: LlamaEngine[] = [];
async function open(lanes?: number): Promise<LlamaEngine> {
  const engine = await openLlamaEngine({ ...options, ...(lanes === undefined ? {} : { lanes }) });
  opened.push(engine);
  return engine;
}
afterAll(() => Promise.all(opened.map(engine => engine.close())));

/** What each prompt gives in an engine that saw nothing before. */
const fresh = new Map<Prompt, readonly number[]>();
beforeAll(async () => {
  for (const prompt of [story, sum]) {
    const engine = await openLlamaEngine(options);
    fresh.set(prompt, (await complete(engine, prompt, { maxTokens: 12 })).ids);
    await engine.close();
  }
});

async function ask(engine: LlamaEngine, lane: string, prompt: Prompt) {
  const { ids, usage } = await complete(engine, prompt, { lane, maxTokens: 12 });
  expect(ids).toEqual(fresh.get(prompt));
  expect(usage.prompt).toBe(engine.tokenize(prompt).length);
  expect(usage.reused + usage.evaluated).toBe(usage.prompt);
  return usage;
}

describe('the cache of a lane', () => {
  test('is whole after another lane ran, by default', async () => {
    const engine = await open();
    await ask(engine, 'a', story);
    expect((await ask(engine, 'b', sum)).reused).toBe(0);
    expect((await ask(engine, 'a', story)).evaluated).toBe(1);
    expect((await ask(engine, 'b', sum)).evaluated).toBe(1);
  });

  test('goes on from its own completion', async () => {
    const engine = await open();
    const first = await complete(engine, sum, { lane: 'a', grammar: 'root ::= "It is 42."' });
    await ask(engine, 'b', story);
    const said = first.pieces.slice(0, -1).map(({ text, tokens }) => ({
      text,
      tokens: tokens!,
      origin: 'assistant' as const,
    }));
    const next: Prompt = [...sum, ...said, { control: '<|im_end|>' }, ...question('And 12?')];
    const { usage } = await complete(engine, next, { lane: 'a', maxTokens: 2 });
    // The stop token was sampled, and is evaluated only now.
    expect(usage.reused).toBe(first.usage.prompt + first.usage.generated - 1);
  });

  test('is given up by the lane that was used least recently', async () => {
    const engine = await open(2);
    await ask(engine, 'a', story);
    await ask(engine, 'b', sum);
    await ask(engine, 'a', story);
    const other = question('Good morning');
    await complete(engine, other, { lane: 'c', maxTokens: 2 });
    expect((await ask(engine, 'a', story)).evaluated).toBe(1);
    // Only the frame of the turn is common to what took its place.
    expect((await ask(engine, 'b', sum)).evaluated).toBeGreaterThan(4);
  });

  test('is one for all lanes where there may be one', async () => {
    const engine = await open(1);
    await ask(engine, 'a', story);
    await ask(engine, 'b', sum);
    const { evaluated, prompt } = await ask(engine, 'a', story);
    expect(evaluated).toBeGreaterThan(prompt - 10);
  });

  test('holds three lanes where three were asked for', async () => {
    const engine = await open(3);
    const prompts = { a: story, b: sum, c: story };
    for (const [lane, prompt] of Object.entries(prompts)) await ask(engine, lane, prompt);
    for (const [lane, prompt] of Object.entries(prompts)) {
      expect((await ask(engine, lane, prompt)).evaluated).toBe(1);
    }
  });
});

test('a lane gets a copy of what another one holds of its prompt', async () => {
  const engine = await open();
  const first = await ask(engine, 'a', story);
  const { reused, evaluated } = await ask(engine, 'b', story);
  expect({ reused, evaluated }).toEqual({ reused: first.prompt - 1, evaluated: 1 });
  // And the other one keeps its own.
  expect((await ask(engine, 'a', story)).evaluated).toBe(1);
});

test('lanes that ask at once take turns, and each gets what it would get alone', async () => {
  const engine = await open();
  const order: string[] = [];
  const run = async (name: string, lane: string, prompt: Prompt) => {
    await ask(engine, lane, prompt);
    order.push(name);
  };
  await Promise.all([
    run('a1', 'a', story),
    run('a2', 'a', story),
    run('a3', 'a', story),
    run('b1', 'b', sum),
    run('b2', 'b', sum),
  ]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('after an abort a lane goes on from what was evaluated, to the same end', async () => {
  const engine = await open();
  await ask(engine, 'b', sum);
  const controller = new AbortController();
  const generation = engine.generate(story, { lane: 'a', signal: controller.signal });
  const ended = collect(generation);
  while (generation.usage.evaluated === 0) await new Promise(setImmediate);
  const seen = generation.usage.evaluated;
  controller.abort();
  const { reason, pieces: none } = await ended;
  expect({ reason, none }).toEqual({ reason: 'aborted', none: [] });
  const { prompt, evaluated } = generation.usage;
  // The slice that was being evaluated, and no more.
  expect(evaluated - seen).toBeLessThanOrEqual(options.batchSize);
  expect(evaluated).toBeLessThan(prompt);
  expect((await ask(engine, 'a', story)).evaluated).toBe(prompt - evaluated);

  const later = new AbortController();
  let pieces = 0;
  for await (const _ of engine.generate(story, { lane: 'a', signal: later.signal })) {
    if (++pieces === 2) later.abort();
  }
  expect(pieces).toBe(2);
  expect((await ask(engine, 'a', story)).evaluated).toBe(1);
  expect((await ask(engine, 'b', sum)).evaluated).toBe(1);
});

describe('the queue', () => {
  test('gives a turn away that was given up', async () => {
    const queue = openQueue();
    const leave = await queue.enter('a');
    const controller = new AbortController();
    const gone = queue.enter('a', controller.signal);
    const next = queue.enter('b');
    controller.abort();
    expect(await gone).toBeUndefined();
    leave!();
    (await next)!();
    expect(await queue.enter('a')).toBeDefined();
  });

  test('a turn that has come is kept when the signal aborts after it', async () => {
    const queue = openQueue();
    const leave = await queue.enter('a');
    const controller = new AbortController();
    const second = queue.enter('a', controller.signal);
    leave!();
    controller.abort();
    (await second)!();
    expect(await queue.enter('b')).toBeDefined();
  });
});
