/** What the README tells people to write into package.json where there is no GPU. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** @throws where the README has it no more */
export function readmeOverrides(root) {
  const text = readFileSync(path.join(root, 'README.md'), 'utf8');
  const block = /^ *```json\n( *\{\s*"overrides".*?)^ *```$/ms.exec(text);
  if (!block) throw new Error('The README has no block of JSON with "overrides" any more.');
  return JSON.parse(block[1]);
}
