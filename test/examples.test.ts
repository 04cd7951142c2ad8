/** The code in the README and in docs/library.md is files that run. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { buildIfNeeded } from '../scripts/build-if-needed.mjs';

const root = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const examples = readdirSync(path.join(root, 'examples')).filter(name => name.endsWith('.ts'));
const called = ['add {"a":31,"b":11}', '42', expect.stringContaining('42')];

beforeAll(buildIfNeeded);

test('docs/library.md shows each example as it is, and no other code', () => {
  const shown = [...read('docs/library.md').matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, code]) => code);
  expect(shown.sort()).toEqual(examples.map(name => read(`examples/${name}`)).sort());
});

test('the README shows examples/agent.ts as it is', () => {
  expect(read('README.md')).toContain(`\`\`\`ts\n${read('examples/agent.ts')}\`\`\``);
});

test.each<[string, unknown[]]>([
  ['agent.ts', called],
  ['ai-sdk.ts', called],
  ['server.ts', called],
  [
    'turn.ts',
    [
      '<|im_start|>user',
      'What is 31 plus 11?<|im_end|>',
      '<|im_start|>assistant',
      '',
      called[0],
      expect.stringMatching(/^\d+ tokens, \d+ of them sampled$/),
    ],
  ],
])('examples/%s prints what it says', async (name, last) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', `examples/${name}`], {
    cwd: root,
  });
  expect(stdout.trim().split('\n').slice(-last.length)).toEqual(last);
});

test('there is no example that is not run', () => {
  expect(examples).toEqual(['agent.ts', 'ai-sdk.ts', 'server.ts', 'turn.ts']);
});
