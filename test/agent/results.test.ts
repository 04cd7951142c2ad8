/** Results that are larger than the context. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgent } from '../../src/agent/agent.ts';
import { approval } from '../../src/agent/approval.ts';
import type { AgentEvent } from '../../src/agent/events.ts';
import { cutResult } from '../../src/agent/results.ts';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import { practiceModel } from '../engine/practice.ts';
import { call, scripted, scriptedTools } from './harness.ts';

const characters = { countTokens: (text: string) => text.length };

describe('a cut', () => {
  test('is made at lines, and says how much is left out', () => {
    const lines = Array.from({ length: 400 }, (_, index) => `line ${index}`);
    const whole = lines.join('\n');
    const { content, leftOut } = cutResult(whole, 500, characters);
    expect(content.length).toBeLessThanOrEqual(500);
    const [head = '', tail = ''] = content.split(/\n\[… \d+ characters left out …\]\n/);
    for (const line of [...head.split('\n'), ...tail.split('\n')]) expect(lines).toContain(line);
    expect(whole.startsWith(`${head}\n`)).toBe(true);
    expect(whole.endsWith(tail)).toBe(true);
    expect(content).toContain(`[… ${leftOut} characters left out …]`);
    expect(head.length + 1 + leftOut + tail.length).toBe(whole.length);
  });

  test('goes through a line that is too long, and through no character', () => {
    const whole = '🦜'.repeat(4_000);
    const { content, leftOut } = cutResult(whole, 300, characters);
    expect(content.length).toBeLessThanOrEqual(300);
    expect(content.length).toBeGreaterThan(200);
    expect(leftOut).toBeGreaterThan(7_000);
    expect(content).toBe(content.toWellFormed());
  });

  test('leaves alone what fits', () => {
    expect(cutResult('x'.repeat(300), 300, characters)).toEqual({ content: 'x'.repeat(300), leftOut: 0 });
  });
});

describe('a result of 20 MB', () => {
  const whole = Array.from(
    { length: 400_000 },
    (_, index) => `record ${index}: the weight is 42 kilograms`,
  ).join('\n');
  let engine: LlamaEngine;
  beforeAll(async () => {
    engine = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize: 2048 });
  });
  afterAll(() => engine.close());

  test('is cut for the model after a few counts, and whole in the event and in the dialogue', async () => {
    expect(whole.length).toBeGreaterThan(15_000_000);
    const counted: number[] = [];
    const countTokens = (text: string) => {
      counted.push(text.length);
      return engine.countTokens([{ text, origin: 'tool' }]);
    };
    const { content } = cutResult(whole, 1000, { countTokens });
    expect(engine.countTokens([{ text: content, origin: 'tool' }])).toBeLessThanOrEqual(1000);
    // The work is that of what fits, and not that of the whole.
    expect(counted.reduce((sum, length) => sum + length, 0)).toBeLessThan(100_000);

    const { ask, agent } = scripted(
      [call('get_weather', { city: 'Oslo' }), 'Heavy.'],
      scriptedTools({ get_weather: () => whole }),
      {},
    );
    const { events } = await ask('Weather?');
    const end = events.find(event => event.type === 'tool-end');
    expect(end?.whole === whole).toBe(true);
    expect(end?.result.content.length).toBeLessThan(100_000);
    const [message] = agent.messages.filter(({ role }) => role === 'tool');
    expect(message).toMatchObject({ content: end?.result.content });
    expect('whole' in message! && message.whole === whole).toBe(true);
  });

  test('leaves room to answer', async () => {
    const agent = createAgent({
      model: rawModel(engine, formatNamed('qwen')),
      tools: {
        tools: [{ name: 'list_records', description: 'All records.', inputSchema: { type: 'object' } }],
        call: async () => ({ content: whole, isError: false }),
      },
      approve: approval({ mode: 'auto' }),
      constrain: 'required',
      policy: { rounds: 'once' },
      maxTokens: 64,
    });
    const events: AgentEvent[] = [];
    for await (const event of agent.run('How heavy is record 7?')) events.push(event);
    expect(events.find(event => event.type === 'tool-end')?.leftOut).toBeGreaterThan(15_000_000);
    expect(events.at(-1)).toMatchObject({ type: 'run-end', toolRuns: 1 });
    for (const event of events)
      if (event.type === 'usage') expect(event.prompt + event.generated).toBeLessThan(2048);
  });
});
