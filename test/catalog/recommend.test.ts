/** Which models serve on a machine of so much memory and such a speed. */
import { expect, test } from 'vitest';
import { readCatalog } from '../../src/catalog/catalog.ts';
import { cachePerToken } from '../../src/catalog/memory.ts';
import { candidates, slowOnes } from '../../src/catalog/recommend.ts';
import { smallCaller } from '../../src/catalog/small-caller.ts';
import { catalogFile } from '../../src/cli/package.ts';

const catalog = await readCatalog(catalogFile);
const { models } = catalog;
const fast = { reading: 1e15, writing: 1e15 };
const names = (memory: number, speed?: typeof fast) =>
  candidates(models, { memory, ...(speed ? { speed } : {}) }).map(({ model }) => model.name);

test('with more memory the best is larger, and everything fits that fitted', () => {
  const steps = [1e9, 2e9, 4e9, 8e9, 16e9, 64e9].map(memory => names(memory));
  for (const [at, smaller] of steps.slice(0, -1).entries()) {
    expect(steps[at + 1]).toEqual(expect.arrayContaining(smaller));
    const sizeOf = (name: string | undefined) => models.find(one => one.name === name)?.parameters ?? 0;
    expect(sizeOf(steps[at + 1]?.[0])).toBeGreaterThan(sizeOf(smaller[0]));
  }
  expect(names(64e9)[0]).toBe('qwen3-coder-30b');
  expect(names(64e9)).toHaveLength(models.flatMap(({ files }) => files).length);
  expect(names(3e8)).toEqual([]);
});

test('weights, context and room to work fit into the memory, with a context that was trained', () => {
  for (const { model, context, memory } of candidates(models, { memory: 6e9 })) {
    expect(memory).toBeLessThanOrEqual(6e9);
    expect(context).toBeGreaterThanOrEqual(4096);
    expect(context).toBeLessThanOrEqual(Math.min(model.context, 32_768));
    expect(context % 1024).toBe(0);
  }
  const tight = candidates(models, { memory: 6e9 }).find(({ model }) => model.name === 'llama-3.1-8b');
  // One step more would not fit.
  expect(tight!.memory + 1024 * cachePerToken(tight!.model)).toBeGreaterThan(6e9);
});

test('what would be too slow is left out; experts count by those that work', () => {
  // Two cores of a server: 20 GB a second, and 250 billion parameters and tokens.
  const slow = candidates(models, { memory: 64e9, speed: { reading: 250e9, writing: 20e9 } });
  const found = slow.map(({ model }) => model.name);
  expect(found).toContain('qwen3-coder-30b');
  expect(found).not.toContain('llama-3.1-8b');
  for (const { reading, writing } of slow) {
    expect(reading).toBeGreaterThanOrEqual(30);
    expect(writing).toBeGreaterThanOrEqual(5);
  }
  const small = slow.find(({ model }) => model.name === 'llama-3.2-1b');
  expect(small?.reading).toBeCloseTo(250e9 / 1.24e9);
  expect(small?.writing).toBeCloseTo(20e9 / (807_694_464 + 1000 * 32_768));
});

test('where none is fast enough, those that fit are told, the least slow first', () => {
  const room = { memory: 4e9, speed: { reading: 1e9, writing: 1e9 } };
  expect(candidates(models, room)).toEqual([]);
  const slow = slowOnes(models, room);
  expect(slow.map(({ file }) => file).length).toBe(names(4e9).length);
  expect(slow[0]?.model.name).toBe('smollm2-135m');
  const speeds = slow.map(({ writing }) => writing ?? 0);
  expect(speeds).toEqual(speeds.toSorted((left, right) => right - left));
});

test('unmeasured, they are told without speeds', () => {
  for (const one of candidates(models, { memory: 4e9 })) expect(one).not.toHaveProperty('writing');
  expect(names(4e9, fast)).toEqual(names(4e9));
});

test('the smallest caller is a model whose file an adapter names', () => {
  const [first] = models;
  const base = first!.files[0]!.sha256!;
  const about = {
    title: 'T',
    makers: 'm',
    licence: { name: 'MIT' },
    format: 'qwen2.5',
    goodAt: [],
    scale: 1,
  };
  const file = { quantisation: 'F16', size: { bytes: 1, exact: true }, sources: [] };
  const adapters = [
    { ...about, name: 'none-of-these', base: 'f'.repeat(64), file },
    { ...about, name: 'taught', base, file },
  ];
  expect(smallCaller({ models, adapters })).toMatchObject({
    model: { name: first!.name },
    adapter: { name: 'taught' },
  });
  expect(smallCaller({ models, adapters: [] })).toBeUndefined();
});
