/** The package as its users get it: packed, installed in an empty folder, and used there. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('npm run check-package finds nothing wrong', { timeout: 600_000 }, async () => {
  const script = path.join(import.meta.dirname, '../scripts/check-package.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  const steps = stdout.match(/^✓ .+$/gm) ?? [];
  expect(steps).toContainEqual(expect.stringMatching(/^✓ rawcall run answers: .*42/));
  expect(steps).toContainEqual(expect.stringMatching(/^✓ rawcall serve answers a request: ./));
  expect(steps.at(-1)).toContain('rawcall/testing makes tests that pass');
});
