import { defineConfig } from 'tsdown';

export default defineConfig([
  {
    entry: {
      index: 'src/index.ts',
      cli: 'src/cli/main.ts',
      testing: 'src/testing.ts',
      'ai-sdk': 'src/ai-sdk/provider.ts',
      telemetry: 'src/telemetry.ts',
    },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: true,
    clean: true,
    fixedExtension: false,
  },
  // CommonJS, because it has to set the environment before anything starts libuv's thread pool.
  {
    entry: { rawcall: 'src/cli/launcher.cts' },
    deps: { neverBundle: ['./cli.js'] },
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    dts: false,
    clean: false,
  },
]);
