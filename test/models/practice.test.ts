import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const file = new URL('../../models/practice/practice.gguf', import.meta.url);

test('the practice model is the one that was measured, and small', async () => {
  const bytes = await readFile(file);
  const [sum] = (await readFile(new URL(`${file.href}.sha256`), 'utf8')).split(' ');
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum);
  expect(bytes.length).toBeLessThanOrEqual(6_000_000);
});
