/** Closing an engine under a generation: it ends as if aborted, wherever it is. */
import { expect, test } from 'vitest';
import type { Generation } from '../../src/engine/engine.ts';
import { openLlamaEngine } from '../../src/engine/llama.ts';
import { collect, complete, practiceModel, question } from './practice.ts';

const open = () => openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize: 1024, batchSize: 32 });
const long = question('weather '.repeat(400));
const endless = { grammar: 'root ::= [a-z] root' };

async function until(come: () => boolean): Promise<void> {
  while (!come()) await new Promise(setImmediate);
}

test.each<[string, (generation: Generation) => boolean]>([
  ['before anything was evaluated', () => true],
  ['while the prompt is evaluated', ({ usage }) => usage.evaluated > 0],
])('%s', async (_, come) => {
  const engine = await open();
  const generation = engine.generate(long);
  const ended = collect(generation);
  await until(() => come(generation));
  await engine.close();
  expect(await ended).toMatchObject({ reason: 'aborted', pieces: [] });
  expect(generation.usage.evaluated).toBeLessThan(generation.usage.prompt || 1);
});

test('while it generates, with others in the queue', async () => {
  const engine = await open();
  const generation = engine.generate(question('Hi'), endless);
  const ended = collect(generation);
  const queued = [complete(engine, long), complete(engine, long, { lane: 'other' })];
  await until(() => generation.usage.generated > 4);
  await engine.close();
  const { reason, ids } = await ended;
  expect(reason).toBe('aborted');
  expect(ids.length).toBeGreaterThan(3);
  for (const other of await Promise.all(queued)) {
    expect(other).toMatchObject({ reason: 'aborted', pieces: [], usage: { evaluated: 0 } });
  }
});

test('while nobody takes the next piece, and twice', async () => {
  const engine = await open();
  const pieces = engine.generate(question('Hi'), endless)[Symbol.asyncIterator]();
  await pieces.next();
  await Promise.all([engine.close(), engine.close()]);
  await engine.close();
  expect((await pieces.next()).done).toBe(true);
});
