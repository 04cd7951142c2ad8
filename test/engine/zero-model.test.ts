/** The model of zeros that machines are measured with: a file like any other, that takes next to no room. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readGgufContents } from '../../src/engine/llama/contents.ts';
import { measuredBytes } from '../../src/engine/measure.ts';
import { writeZeroModel } from '../../src/engine/zero-model.ts';

test('it is whole, as large as is said, and a hole on the disk', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-zeros-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'zeros.gguf');
  const { parameters, size } = writeZeroModel(file);
  const { tensors, metadata, controlTokens } = await readGgufContents(file);
  const numbers = tensors.map(({ shape }) => shape.reduce((product, length) => product * length, 1));
  expect(numbers.reduce((sum, count) => sum + count, 0)).toBe(parameters);
  expect(metadata).toContainEqual(['general.architecture', 'llama']);
  expect(controlTokens.map(({ text }) => text)).toEqual(['<unk>', '<s>', '</s>']);
  const found = statSync(file);
  expect(found.size - size).toBeLessThan(100_000);
  expect(Math.abs(found.size / measuredBytes - 1)).toBeLessThan(0.05);
  expect(found.blocks * 512).toBeLessThan(1_000_000);
});
