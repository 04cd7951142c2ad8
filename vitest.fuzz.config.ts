/** `npm run fuzz`: the laws of the parsers, many times over. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/parsers/{laws,fuzz}.test.ts', 'test/parsers/gbnf/laws.test.ts'],
    maxWorkers: 1,
    env: { RAWCALL_FUZZ: process.env.RAWCALL_FUZZ ?? '20' },
    testTimeout: 3_600_000,
  },
});
