/** The README's code is a file that runs. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

test('the README shows examples/agent.ts as it is', () => {
  const code = readFileSync(path.join(root, 'examples/agent.ts'), 'utf8');
  expect(readFileSync(path.join(root, 'README.md'), 'utf8')).toContain(`\`\`\`ts\n${code}\`\`\``);
});

test('and it calls a tool and answers', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'examples/agent.ts'], {
    cwd: root,
  });
  expect(stdout.trim().split('\n')).toEqual(['add {"a":31,"b":11}', '42', expect.stringContaining('42')]);
});
