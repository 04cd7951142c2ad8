import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One worker: a real model and real servers share two cores, and the pool of one thread is what the CLI runs with.
    maxWorkers: 1,
    env: { UV_THREADPOOL_SIZE: '1' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
