/** The engine's own counts against those of node-llama-cpp's meter. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCache } from '../../src/engine/llama/cache.ts';
import { openContext } from '../../src/engine/llama/context.ts';
import { generate, type Machine } from '../../src/engine/llama/generate.ts';
import { loadModel } from '../../src/engine/llama/model.ts';
import { openNative } from '../../src/engine/llama/native.ts';
import { openQueue } from '../../src/engine/llama/queue.ts';
import { readVocabulary } from '../../src/engine/llama/vocabulary.ts';
import { collect, practiceModel, question } from './practice.ts';

let machine: Machine;
beforeAll(async () => {
  const native = await openNative('off');
  const model = await loadModel(native, { model: practiceModel });
  const context = await openContext(native, model, { contextSize: 512 });
  const sequence = context.getSequence();
  const vocabulary = readVocabulary(model);
  const [cache, queue] = [openCache(sequence), openQueue()];
  machine = { native, model, vocabulary, sequence, cache, queue, batchSize: 16 };
});
afterAll(() => machine.model.dispose());

test.each(['Hi', 'Hi', 'High time', 'What is 31 plus 11?', 'Hi'])('%s', async text => {
  const meter = machine.sequence.tokenMeter;
  const before = meter.getState();
  const { usage } = await collect(
    generate(machine, question(text), { grammar: 'root ::= [a-z]{20}', maxTokens: 10 }),
  );
  const { usedInputTokens, usedOutputTokens } = meter.diff(before);
  // The last generated token was sampled and is not evaluated.
  expect(usedInputTokens + usedOutputTokens).toBe(usage.evaluated + usage.generated - 1);
  expect(usage.reused + usage.evaluated).toBe(usage.prompt);
  expect(machine.sequence.nextTokenIndex).toBe(usage.prompt + usage.generated - 1);
});
