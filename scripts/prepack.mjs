/** What npm runs before it packs: builds, and writes the notices of what the bundle took in from other packages. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildIfNeeded } from './build-if-needed.mjs';
import { notices } from './notices.mjs';

const root = path.join(import.meta.dirname, '..');
buildIfNeeded();
writeFileSync(path.join(root, 'dist', 'THIRD-PARTY.md'), notices(path.join(root, 'dist')));
