/** A hundred tools of five servers in one dialogue: what is offered, what is found, and what a change costs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AgentOptions, createAgent } from '../../src/agent/agent.ts';
import { approval } from '../../src/agent/approval.ts';
import type { AgentEvent, RunResult } from '../../src/agent/events.ts';
import { toolChoice } from '../../src/agent/tool-choice.ts';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { formatNamed } from '../../src/format.ts';
import { directServer } from '../../src/mcp/direct.ts';
import { type Host, openHost } from '../../src/mcp/host.ts';
import { rawModel } from '../../src/model/raw.ts';
import type { ToolSource } from '../../src/tools.ts';
import { call, scripted } from '../agent/harness.ts';
import { hundredTools, serverNames, toolsOf } from '../agent/many-tools.ts';
import { practiceModel } from '../engine/practice.ts';
import { self } from './helpers.ts';
import { misbehaving, text, tool } from './misbehaving.ts';

let host: Host;
beforeAll(async () => {
  host = openHost(
    [
      ...serverNames.map(name => misbehaving({ pages: [toolsOf(name)] }, name)),
      directServer('rawcall', 'mcp-server materials'),
      misbehaving(
        {
          pages: [[tool('grow')]],
          calls: {
            grow: { change: { times: 5, pages: [[tool('grow'), tool('prune')]] }, result: text('grown') },
          },
        },
        'growing',
      ),
    ],
    { self },
  );
  await host.ready;
}, 60_000);
afterAll(() => host.close());

const format = formatNamed('hermes');
const byLength = (limit: number) =>
  toolChoice({
    source: host,
    budget: limit,
    count: tools => Math.ceil(JSON.stringify(tools).length / 3),
    serverOf: name => host.origin(name)?.server,
  });

test('the servers are there', () => {
  expect(host.servers.map(({ state }) => state)).toEqual(Array(7).fill('ready'));
  expect(host.tools.length).toBeGreaterThan(hundredTools.length);
});

describe('with a model that says what was recorded', () => {
  const asking = (completions: string[], options: Partial<AgentOptions> = {}) =>
    scripted(completions, byLength(1500), options);

  test('a tool that the question speaks of is there at once', async () => {
    const { ask, prompts } = asking([call('delete_reminders', { reminder_id: '7' }), 'Gone.']);
    const { result } = await ask('Delete the reminder number 7.');
    expect(result).toMatchObject({ answer: 'Gone.', toolRuns: 1 });
    expect(prompts()[0]).toContain('"delete_reminders"');
    expect(prompts()[0]).not.toContain('"search_reagents"');
    expect(prompts()[1]).toContain('ran delete_reminders');
  });

  test('another is found by find_tools, which asks nobody, counts as no tool run, and changes the next turn', async () => {
    const asked: string[] = [];
    const approve = approval({
      ask: async ({ name }) => {
        asked.push(name);
        return { allowed: true };
      },
    });
    const { ask, prompts } = asking(
      [
        call('find_tools', { query: 'reagent in stock' }),
        call('search_reagents', { query: 'acetone' }),
        'Two bottles.',
      ],
      { approve },
    );
    const { result, events } = await ask('Is there still some of it in the cupboard?');
    expect(result).toMatchObject({ answer: 'Two bottles.', toolRuns: 1 });
    expect(asked).toEqual(['search_reagents']);
    expect(prompts()[0]).not.toContain('"search_reagents"');
    expect(prompts()[1]).toContain('These tools can be called now:');
    expect(prompts()[1]).toContain('"name": "search_reagents"');
    const changes = events.filter(event => event.type === 'tools-changed');
    expect(changes).toHaveLength(1);
    expect(changes[0]?.added).toContain('search_reagents');
    // Behind what was there, so that the prompt is the same as long as it can be.
    const [before = '', after = ''] = prompts();
    expect(after.indexOf('"search_reagents"')).toBeGreaterThan(before.lastIndexOf('</tools>') - 1);
  });

  test('where nothing may run, find_tools still does', async () => {
    const { ask } = asking(
      [
        call('find_tools', { query: 'reagents' }),
        call('search_reagents', { query: 'acetone' }),
        'I am not allowed to.',
      ],
      { approve: approval({ mode: 'never' }) },
    );
    const { events, result } = await ask('Is there acetone?');
    expect(events.flatMap(event => (event.type === 'approval-end' ? [event.allowed] : []))).toEqual([
      true,
      false,
    ]);
    expect(result.toolRuns).toBe(0);
  });

  test('a call that fits a tool which is not on offer runs, with its own approval', async () => {
    const { ask, prompts } = asking([call('search_reagents', { query: 'acetone' }), 'Two bottles.']);
    const { result, events } = await ask('And in the cupboard?');
    expect(prompts()[0]).not.toContain('Searches reagents');
    expect(prompts()[1]).toContain('ran search_reagents');
    expect(events.filter(({ type }) => type === 'approval-end')).toHaveLength(1);
    expect(result).toMatchObject({ toolRuns: 1, answer: 'Two bottles.' });
  });

  test('one that does not fit brings the tool on offer, and the model is told to call again', async () => {
    const { ask, prompts } = asking([
      call('search_reagents', { query: { of: 'acetone' } }),
      call('search_reagents', { query: 'acetone' }),
      'Two bottles.',
    ]);
    const { result } = await ask('And in the cupboard?');
    expect(prompts()[1]).toContain('The schema of "search_reagents" was not shown. It is now: call it again');
    expect(prompts()[2]).toContain('ran search_reagents');
    expect(result).toMatchObject({ toolRuns: 1, answer: 'Two bottles.' });
  });

  test('looking for a tool is not the one round of --rounds once', async () => {
    const { ask } = asking(
      [
        call('find_tools', { query: 'reagents' }),
        call('search_reagents', { query: 'acetone' }),
        'Two bottles.',
      ],
      { policy: { rounds: 'once' } },
    );
    const { result, events } = await ask('Is there acetone?');
    expect(result).toMatchObject({ answer: 'Two bottles.', toolRuns: 1, turns: 3 });
    const purposes = events.flatMap(event => (event.type === 'turn-start' ? [event.purpose] : []));
    expect(purposes).toEqual(['decision', 'decision', 'answer']);
  });
});

describe('with the practice model', () => {
  let engine: LlamaEngine;
  beforeAll(async () => {
    engine = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize: 4096 });
  });
  afterAll(() => engine.close());

  function dialogue(tools: (model: ReturnType<typeof rawModel>) => ToolSource) {
    const model = rawModel(engine, format);
    const agent = createAgent({
      model,
      tools: tools(model),
      approve: approval({ mode: 'auto' }),
      lane: String(Math.random()),
    });
    return async (question: string): Promise<{ result: RunResult; events: AgentEvent[] }> => {
      const events: AgentEvent[] = [];
      const run = agent.run(question);
      for (;;) {
        const { done, value } = await run.next();
        if (done) return { result: value, events };
        events.push(value);
      }
    };
  }

  /** Counted as the command line counts. */
  const fitting = (budget: number) => (model: ReturnType<typeof rawModel>) =>
    toolChoice({
      source: host,
      budget,
      count: tools =>
        model.render({ messages: [{ role: 'user', content: '' }], tools }).size?.bill().tools ?? 0,
    });

  test('a question finds its tool among a hundred, and the offer keeps to its tokens', async () => {
    const ask = dialogue(fitting(700));
    const { events, result } = await ask('Flag M-1003: no weight.');
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'tool-start',
        call: expect.objectContaining({ name: 'flag_material' }),
      }),
    );
    expect(result).toMatchObject({ reason: 'answered', toolRuns: 1 });
    const start = events.find(event => event.type === 'turn-start');
    const tokens = engine.tokenize(start!.prompt).filter(({ origin }) => origin === 'tools');
    expect(tokens.length).toBeGreaterThan(100);
    expect(tokens.length).toBeLessThanOrEqual(700);
  });

  test('what a change of the offer costs is what the engine then evaluates', async () => {
    const ask = dialogue(fitting(700));
    await ask('Flag M-1003: no weight.');
    const { events } = await ask('Delete a protocol of the lab.');
    const at = events.findIndex(event => event.type === 'tools-changed');
    const change = events[at];
    expect(change).toMatchObject({ added: expect.arrayContaining(['delete_protocols']) });
    const usage = events.slice(at).find(event => event.type === 'usage');
    expect(usage?.evaluated).toBe(change?.type === 'tools-changed' ? change.tokens : undefined);
    const next = await ask('Delete a protocol of the lab.');
    expect(next.events.some(event => event.type === 'tools-changed')).toBe(false);
  });

  test("so is what a server's own change costs", async () => {
    const growing: ToolSource = {
      get tools() {
        return host.tools.filter(({ name }) => host.origin(name)?.server === 'growing');
      },
      call: host.call,
    };
    const ask = dialogue(() => growing);
    await ask('Hello!');
    expect((await growing.call('grow', {})).content).toBe('grown');
    await expect.poll(() => growing.tools.length).toBe(2);
    const { events } = await ask('Hello again!');
    const change = events.find(event => event.type === 'tools-changed');
    const usage = events.find(event => event.type === 'usage');
    expect(change).toMatchObject({ added: ['prune'], removed: [], changed: [] });
    expect(change?.tokens).toBeGreaterThan(0);
    expect(usage?.evaluated).toBe(change?.tokens);
  });
});
