/** What npm runs before it packs: builds, writes the man page, and the notices of what the bundle took in from other packages. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildIfNeeded } from './build-if-needed.mjs';
import { notices } from './notices.mjs';

const root = path.join(import.meta.dirname, '..');
buildIfNeeded();
execFileSync(process.execPath, ['--import', 'tsx', path.join('scripts', 'write-man-page.ts')], { cwd: root });
writeFileSync(path.join(root, 'dist', 'THIRD-PARTY.md'), notices(path.join(root, 'dist')));
