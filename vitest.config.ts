import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/same-draws.ts'],
    // More would take time from each other: a real model, real servers and a real browser share two cores.
    maxWorkers: 2,
    // No test asks the keyring of whoever runs it, nor writes in colours where a CI would have them.
    env: { UV_THREADPOOL_SIZE: '1', RAWCALL_KEYRING: 'off', NO_COLOR: '1' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What a page shows follows a click or a key, on busy cores by more than the second that is the default.
    expect: { poll: { timeout: 15_000 } },
  },
});
