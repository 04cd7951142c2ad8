/** The engine's own counts against those of node-llama-cpp's meter. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GenerateOptions } from '../../src/engine/engine.ts';
import { openFew } from '../../src/engine/llama/few.ts';
import { generate, type Machine } from '../../src/engine/llama/generate.ts';
import type { Lane } from '../../src/engine/llama/lanes.ts';
import type { Prompt } from '../../templates/template.ts';
import { openMachine } from './machine.ts';
import { collect, question } from './practice.ts';

let machine: Machine;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ machine, dispose } = await openMachine({ few: openFew, lanes: 2, batchSize: 16 }));
});
afterAll(() => dispose());

async function laneNamed(name: string): Promise<Lane> {
  const lane = await machine.lanes.take(name, []);
  machine.lanes.giveBack(lane);
  return lane;
}

/** Tokens that the library evaluated, in all lanes. */
async function metered(): Promise<number> {
  let total = 0;
  for (const name of ['', 'other']) {
    const { usedInputTokens, usedOutputTokens } = (await laneNamed(name)).sequence.tokenMeter;
    total += usedInputTokens + usedOutputTokens;
  }
  return total;
}

const forced = { forced: [{ text: 'no' }] };
const long = question('weather '.repeat(100));
const cases: readonly [string, Prompt, GenerateOptions][] = [
  ['a first prompt', question('Hi'), {}],
  ['the same again', question('Hi'), {}],
  ['one that differs', question('High time'), {}],
  ['another lane', question('What is 31 plus 11?'), { lane: 'other' }],
  ['back in the first lane', question('Hi'), {}],
  ['several batches', long, {}],
  ['copied from the first lane', long, { lane: 'other' }],
  ['forced text', question('Hi'), { steer: pieces => (pieces.length === 0 ? forced : undefined) }],
  ['forced text amid', question('Hi'), { steer: pieces => (pieces.length === 1 ? forced : undefined) }],
];

test.each(cases)('%s', async (_, prompt, options) => {
  const before = await metered();
  const { usage } = await collect(
    generate(machine, prompt, { grammar: 'root ::= [a-z]{20}', maxTokens: 10, ...options }),
  );
  // The last generated token was sampled and is not evaluated.
  expect((await metered()) - before).toBe(usage.evaluated + usage.generated - 1);
  expect(usage.reused + usage.evaluated).toBe(usage.prompt);
  const { sequence } = await laneNamed(options.lane ?? '');
  expect(sequence.nextTokenIndex).toBe(usage.prompt + usage.generated - 1);
});
