#!/usr/bin/env node
// libuv reads this once, when its pool starts, which is before any ES module runs; hence CommonJS. Each token is decoded on
// that pool: with its usual four threads every step may land on another one, which halves the speed on small machines.
process.env.UV_THREADPOOL_SIZE ??= '1';

// The bundle beside this file, which tsdown.config.ts keeps out of this one.
// @ts-expect-error It is there once it is built.
import('./cli.js').catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
