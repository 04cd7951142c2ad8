/** Calls under a grammar, on the practice model at a temperature at which it writes nonsense. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invalidArguments } from '../../parsers/validate.ts';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import type { TurnEvent, TurnOptions, TurnResult } from '../../src/model/model.ts';
import { rawModel } from '../../src/model/raw.ts';
import { practiceModel } from '../engine/practice.ts';

const tools = [
  {
    name: 'book_room',
    description: 'Books a room.',
    inputSchema: {
      type: 'object',
      properties: {
        room: { enum: ['blue', 'green'] },
        guests: { type: 'integer', minimum: 1, maximum: 20 },
        breakfast: { type: 'boolean' },
      },
      required: ['room', 'guests'],
      additionalProperties: false,
    },
  },
  {
    name: 'cancel',
    description: 'Cancels all.',
    inputSchema: { type: 'object', additionalProperties: false },
  },
];

const add = {
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
};

let engine: LlamaEngine;
beforeAll(async () => {
  engine = await openLlamaEngine({ model: practiceModel, contextSize: 2048, gpu: 'off' });
});
afterAll(() => engine.close());

async function turn(
  format: string,
  options: Partial<TurnOptions>,
): Promise<{ result: TurnResult; events: TurnEvent[] }> {
  const conversation = { messages: [{ role: 'user', content: 'A room, please.' } as const], tools };
  const model = rawModel(engine, formatNamed(format));
  const run = model.turn(model.render(conversation, { thinking: false }), {
    purpose: 'decision',
    maxTokens: 200,
    ...options,
  });
  const events: TurnEvent[] = [];
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { result: value, events };
    events.push(value);
  }
}

const seeds = [1, 2, 3, 4, 5];
const wild = (seed: number) => ({ temperature: 1.8, topK: 0, topP: 1, seed });

describe.each(['qwen', 'hermes', 'llama3', 'llama3-json', 'qwen3-coder'])('%s', format => {
  test('required: each turn is calls that fit their schemas', async () => {
    for (const seed of seeds) {
      const { result, events } = await turn(format, {
        constrain: 'required',
        sampling: wild(seed),
      });
      expect(result.failed).toEqual([]);
      expect(result.calls.length).toBeGreaterThan(0);
      for (const call of result.calls) {
        const tool = tools.find(one => one.name === call.name)!;
        expect(invalidArguments(tool, call.arguments)).toBeUndefined();
      }
      // A list that the token limit cut between two calls lacks its end, and nothing else does.
      const cut = result.reason === 'length' ? 'missing-close' : undefined;
      expect(events.filter(event => event.type === 'repaired' && event.repair !== cut)).toEqual([]);
    }
  });

  test('what the grammar forces is not sampled', async () => {
    const { events } = await turn(format, { constrain: 'required', sampling: wild(1) });
    const usage = events.find(event => event.type === 'usage');
    expect(usage?.passes).toBeLessThan(0.8 * (usage?.generated ?? 0));
  });
});

test('without a grammar the same temperature gives calls that fail, or none', async () => {
  const turns = await Promise.all(seeds.map(seed => turn('hermes', { sampling: wild(seed) })));
  expect(turns.some(({ result }) => result.calls.length === 0)).toBe(true);
});

test('only the tools that are named are called', async () => {
  for (const tool of ['cancel', 'book_room']) {
    const { result } = await turn('hermes', { constrain: 'required', only: [tool], sampling: wild(3) });
    expect(new Set(result.calls.map(call => call.name))).toEqual(new Set([tool]));
  }
});

test('a turn that may make one call ends with it', async () => {
  const call = (name: string) => [
    { text: '<tool_call>', control: true },
    { text: `\n{"name": "${name}", "arguments": {}}\n` },
    { text: '</tool_call>', control: true },
  ];
  const written = [
    ...call('cancel'),
    { text: '\n' },
    ...call('cancel'),
    { text: '<|im_end|>', control: true },
  ];
  const conversation = { messages: [{ role: 'user', content: 'Cancel it.' } as const], tools };
  const callsOf = async (parallel: boolean) => {
    const model = rawModel(recordedEngine([written]), formatNamed('qwen'));
    const run = model.turn(model.render(conversation), { purpose: 'decision', parallel });
    let step = await run.next();
    while (!step.done) step = await run.next();
    return step.value;
  };
  expect((await callsOf(true)).calls).toHaveLength(2);
  const one = await callsOf(false);
  expect(one.calls).toHaveLength(1);
  expect(one.reason).toBe('stop');
  expect(one.message.completion).toEqual(call('cancel'));
});

test('a call that is continued ends the turn, since what followed would not be held to calls', async () => {
  let extended = 0;
  for (const seed of seeds) {
    const limits = { maxTokens: 14, callTokens: 150 };
    const { result, events } = await turn('qwen', { constrain: 'required', ...limits, sampling: wild(seed) });
    if (!events.some(event => event.type === 'call-extended')) continue;
    extended++;
    expect(result.failed).toEqual([]);
    expect(result.calls).toHaveLength(1);
    expect(result.message.content).toBe('');
  }
  expect(extended).toBeGreaterThan(0);
});

test('wherever the limit cuts a call, it goes on as it would have gone on', async () => {
  const model = rawModel(engine, formatNamed('qwen'));
  const prompt = model.render({ messages: [{ role: 'user', content: 'What is 31 plus 11?' }], tools: [add] });
  let extended = 0;
  for (const constrain of ['off', 'calls', 'required'] as const) {
    for (let maxTokens = 4; maxTokens <= 28; maxTokens++) {
      const run = model.turn(prompt, { purpose: 'decision', constrain, maxTokens, callTokens: 60 });
      let step = await run.next();
      let more = false;
      for (; !step.done; step = await run.next()) more ||= step.value.type === 'call-extended';
      if (!more) continue;
      extended++;
      const { calls, failed, message } = step.value;
      expect({ constrain, maxTokens, failed, content: message.content, calls }).toMatchObject({
        failed: [],
        content: '',
        calls: [{ name: 'add', argumentsText: '{"a":31,"b":11}' }],
      });
    }
  }
  expect(extended).toBeGreaterThan(20);
});

describe('an output', () => {
  const output = {
    type: 'object',
    properties: { colour: { enum: ['red', 'blue'] }, count: { type: 'integer', minimum: 0, maximum: 9 } },
    required: ['colour', 'count'],
    additionalProperties: false,
  };

  test('is JSON of its schema', async () => {
    for (const seed of seeds) {
      const { result } = await turn('hermes', { output, sampling: wild(seed) });
      expect(result.calls).toEqual([]);
      const value = JSON.parse(result.message.content) as { colour: string; count: number };
      expect(['red', 'blue']).toContain(value.colour);
      expect(value.count).toBeLessThan(10);
    }
  });

  test('or calls, where calls are allowed', async () => {
    for (const seed of seeds) {
      const { result } = await turn('hermes', { output, constrain: 'calls', sampling: wild(seed) });
      expect(result.failed).toEqual([]);
      if (result.calls.length === 0)
        expect(Object.keys(JSON.parse(result.message.content))).toEqual(['colour', 'count']);
    }
  });

  test('that no value fits is an error before anything is generated', async () => {
    await expect(turn('hermes', { output: { enum: [] } })).rejects.toMatchObject({ code: 'nothing_fits' });
  });
});

test('a text that ends the turn is no part of it', async () => {
  const whole = await turn('hermes', {});
  const content = whole.result.message.content;
  const stop = content.slice(4, 7);
  const { result } = await turn('hermes', { stop: [stop] });
  expect(result.message.content).toBe(content.slice(0, content.indexOf(stop)).trim());
  expect(result.reason).toBe('stop');
});

describe('calls', () => {
  test('text stays free', async () => {
    const free = await turn('hermes', {});
    const steered = await turn('hermes', { constrain: 'calls' });
    if (free.result.calls.length === 0)
      expect(steered.result.message.content).toBe(free.result.message.content);
    const hi = { messages: [{ role: 'user', content: 'Hello!' } as const], tools };
    const model = rawModel(engine, formatNamed('hermes'));
    const run = model.turn(model.render(hi), {
      purpose: 'decision',
      constrain: 'calls',
      maxTokens: 40,
    });
    let step = await run.next();
    while (!step.done) step = await run.next();
    expect(step.value.message.content).not.toBe('');
  });

  test('a call that opens is held to the tools, and text may follow it', async () => {
    const question = { role: 'user', content: 'What is 31 plus 11?' } as const;
    for (const seed of seeds) {
      const model = rawModel(engine, formatNamed('qwen'));
      const run = model.turn(model.render({ messages: [question], tools: [add] }), {
        purpose: 'decision',
        constrain: 'calls',
        sampling: { temperature: 1.2, seed },
        maxTokens: 120,
      });
      let step = await run.next();
      while (!step.done) step = await run.next();
      expect(step.value.calls[0]?.name).toBe('add');
      expect(step.value.failed).toEqual([]);
    }
  });
});
