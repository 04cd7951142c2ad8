/** A context that is full in the middle of a call, more tools than it holds, and tools that change on the way: with a real model. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ToolDefinition } from '../../parsers/parser.ts';
import { type Agent, type AgentOptions, createAgent } from '../../src/agent/agent.ts';
import { approval } from '../../src/agent/approval.ts';
import type { AgentEvent } from '../../src/agent/events.ts';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import { practiceModel } from '../engine/practice.ts';

let engine: LlamaEngine | undefined;
afterEach(() => engine?.close());
// Tokens are generated one by one, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 });

async function open(contextSize: number): Promise<LlamaEngine> {
  engine = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize });
  return engine;
}

function agentOn(
  engine: LlamaEngine,
  source: { tools: readonly ToolDefinition[] },
  options: Partial<AgentOptions> = {},
): Agent {
  return createAgent({
    model: rawModel(engine, formatNamed('qwen')),
    tools: {
      get tools() {
        return source.tools;
      },
      call: async name => ({ content: `${name} is done.`, isError: false }),
    },
    approve: approval({ mode: 'auto' }),
    render: { thinking: false },
    ...options,
  });
}

async function events(agent: Agent, question: string): Promise<AgentEvent[]> {
  const told: AgentEvent[] = [];
  for await (const event of agent.run(question)) told.push(event);
  return told;
}

const note = (minLength: number): ToolDefinition => ({
  name: 'write_note',
  description: 'Writes a note.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', minLength } },
    required: ['text'],
    additionalProperties: false,
  },
});

describe('a context that is full in the middle of a call', () => {
  test('ends the turn, runs nothing, and the dialogue goes on', async () => {
    const model = await open(320);
    const source = { tools: [note(2_000)] };
    const agent = agentOn(model, source, {
      constrain: 'required',
      maxTokens: 2_000,
      maxRounds: 1,
      // Greedily the model would repeat itself, and be stopped for that.
      sampling: { temperature: 1.8, topK: 0, topP: 1, seed: 1 },
    });
    const told = await events(agent, 'Note this down.');
    expect(told).toContainEqual(expect.objectContaining({ type: 'completion-end', reason: 'length' }));
    expect(told.find(event => event.type === 'call-failed')).toMatchObject({ problem: 'truncated' });
    expect(told.some(({ type }) => type === 'tool-start' || type === 'call-extended')).toBe(false);
    const end = told.at(-1);
    expect(end).toMatchObject({ type: 'run-end', toolRuns: 0 });
    expect(end?.type === 'run-end' && end.answer).not.toBe('');
    expect(agent.messages[0]).toMatchObject({ role: 'user', content: 'Note this down.' });
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant' });

    source.tools = [];
    const next = await events(agent, 'Hello!');
    expect(next.at(-1)).toMatchObject({ type: 'run-end', turns: 1 });
  });
});

describe('a thousand tools', () => {
  const tools = Array.from(
    { length: 1_000 },
    (_, index): ToolDefinition => ({
      name: `tool_${index}`,
      description: `Does thing ${index} to what it is given, and tells how it went.`,
      inputSchema: {
        type: 'object',
        properties: {
          target: { type: 'string', description: 'What to do it to' },
          times: { type: 'integer', minimum: 1, maximum: 10 },
        },
        required: ['target'],
      },
    }),
  );

  test('are refused before anything is evaluated, with what they cost and what would do', async () => {
    const model = await open(2048);
    const agent = agentOn(model, { tools });
    const error = await events(agent, 'Hi').catch(error => error);
    expect(error).toMatchObject({ code: 'prompt_too_long', details: { contextSize: 2048 } });
    const { promptTokens, bill } = error.details;
    expect(bill.tools).toBeGreaterThan(50_000);
    expect(error.message).toContain(`${bill.tools} for the 1000 tools`);
    expect(error.message).toContain(`contextSize of at least ${promptTokens + 64}`);
    const fitting = Number(/about (\d+) of the 1000 tools/.exec(error.message)?.[1]);
    expect(agent.messages).toEqual([]);

    // What is said to fit does.
    const fewer = agentOn(model, { tools: tools.slice(0, fitting) }, { maxTokens: 4 });
    expect((await events(fewer, 'Hi')).at(-1)).toMatchObject({ type: 'run-end' });
  });
});

describe('tools that change between turns', () => {
  const ask = 'What is 31 plus 11?';
  const sum = (name: string): ToolDefinition => ({
    name,
    description: 'Adds two numbers.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  });
  const system = `You help. ${'Be kind. '.repeat(30)}`;
  const usages = (told: readonly AgentEvent[]) => told.filter(event => event.type === 'usage');

  test('cost the prompt from the tools on, once, and change nothing else', async () => {
    const model = await open(2048);
    const source = { tools: [sum('add')] };
    const agent = agentOn(model, source, { system, maxTokens: 40 });
    await events(agent, ask);
    const before = [...agent.messages];

    source.tools = [sum('add'), sum('add_up')];
    const [changed] = usages(await events(agent, 'And 5 plus 4?'));
    expect(changed!.reused).toBeGreaterThan(60);
    expect(changed!.evaluated).toBeGreaterThan(100);
    const [next] = usages(await events(agent, 'And 7 plus 1?'));
    expect(next!.evaluated).toBeLessThan(changed!.evaluated / 2);

    // As if the tools had been there from the beginning.
    await model.close();
    const fresh = await open(2048);
    const same = agentOn(fresh, source, { messages: before, maxTokens: 40 });
    await events(same, 'And 5 plus 4?');
    await events(same, 'And 7 plus 1?');
    expect(same.messages.map(({ content }) => content)).toEqual(agent.messages.map(({ content }) => content));
  });

  test('a tool that is gone leaves its calls in the dialogue', async () => {
    const model = await open(2048);
    const source = { tools: [sum('add')] };
    const agent = agentOn(model, source, { system, maxTokens: 60 });
    const first = await events(agent, ask);
    expect(first.some(({ type }) => type === 'tool-start')).toBe(true);
    source.tools = [];
    const told = await events(agent, 'Hello!');
    expect(told.at(-1)).toMatchObject({ type: 'run-end' });
    const start = told.find(event => event.type === 'turn-start');
    expect(JSON.stringify(start?.prompt)).toContain('add');
  });
});
