/** What the practice model does where one call is not enough, on real servers: two calls at once, rounds that need each other, errors. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgent } from '../../src/agent/agent.ts';
import { approval } from '../../src/agent/approval.ts';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { formatNamed } from '../../src/format.ts';
import { directServer } from '../../src/mcp/direct.ts';
import { type Host, openHost } from '../../src/mcp/host.ts';
import { rawModel } from '../../src/model/raw.ts';
import { practiceModel } from '../engine/practice.ts';
import { self } from '../mcp/helpers.ts';

const hostOf = (name: string) => openHost([directServer('rawcall', `mcp-server ${name}`)], { self });
let engine: LlamaEngine;
let calc: Host;
let materials: Host;
beforeAll(async () => {
  calc = hostOf('calc');
  materials = hostOf('materials');
  engine = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize: 4096 });
  await Promise.all([calc.ready, materials.ready]);
}, 60_000);
afterAll(() => Promise.all([engine.close(), calc.close(), materials.close()]));

describe.each(['llama3', 'hermes', 'qwen'])('in %s', format => {
  /** The calls of each round, what the tools gave, and the answer. */
  async function asked(tools: Host, question: string) {
    const agent = createAgent({
      model: rawModel(engine, formatNamed(format)),
      tools,
      approve: approval({ mode: 'auto' }),
      render: format === 'llama3' ? { date: '01 Dec 2026' } : {},
    });
    for await (const _ of agent.run(question));
    const calls = agent.messages.flatMap(message =>
      message.role === 'assistant' && message.toolCalls
        ? [message.toolCalls.map(({ name, arguments: args }) => ({ name, ...args }))]
        : [],
    );
    const results = agent.messages.flatMap(message => (message.role === 'tool' ? [message.content] : []));
    return { calls, results, answer: agent.messages.at(-1)?.content };
  }

  test('two questions are two calls of one turn, and the answer holds both results', async () => {
    const { calls, answer } = await asked(calc, 'What is 12 plus 30, and 5 times 8?');
    expect(calls).toEqual([
      [
        { name: 'add', a: 12, b: 30 },
        { name: 'multiply', a: 5, b: 8 },
      ],
    ]);
    expect(answer).toMatch(/\b42\b.*\b40\b/);
  });

  test('the result of one call is the argument of the next', async () => {
    const { calls, answer } = await asked(calc, 'Add 3 and 4, then multiply by 5.');
    expect(calls).toEqual([[{ name: 'add', a: 3, b: 4 }], [{ name: 'multiply', a: 7, b: 5 }]]);
    expect(answer).toContain('35');
  });

  test('an error is told, and what depends on it is not called', async () => {
    const { calls, answer } = await asked(calc, 'Divide 18 by 0, then add 4.');
    expect(calls).toEqual([[{ name: 'divide', a: 18, b: 0 }]]);
    expect(answer).toBe('That did not work: Cannot divide by zero.');
  });

  test('an error that says what would be right is followed by the call that is', async () => {
    const { calls, results, answer } = await asked(materials, 'Show me material 1003.');
    expect(calls).toEqual([[{ name: 'get_material', id: '1003' }], [{ name: 'get_material', id: 'M-1003' }]]);
    expect(results[0]).toContain('There is no material "1003"');
    expect(answer).toContain('M-1003 is Copper wire');
  });
});
