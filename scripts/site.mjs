/** `npm run docs`: the site of docs/ and of the library's types, in `site/`. It works from a disk, and asks nobody for anything. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { siteProblems } from './site-problems.mjs';

const root = path.join(import.meta.dirname, '..');
const site = path.join(root, 'site');

rmSync(site, { recursive: true, force: true });
const typedoc = path.join(root, 'node_modules', 'typedoc', 'bin', 'typedoc');
const { status, stdout, stderr } = spawnSync(process.execPath, [typedoc, '--pretty', 'false'], {
  cwd: root,
  encoding: 'utf8',
});
const said = `${stdout}${stderr}`;

const warnings = said
  .split('\n')
  .filter(line => /\[(warning|error)\]/.test(line) && !/Found \d+ errors/.test(line));
const problems = [...warnings, ...(status === 0 ? siteProblems(site) : [])];
for (const problem of problems) console.error(`✗ ${problem}`);
if (status !== 0 || problems.length > 0) process.exitCode = 1;
else console.log(`The site is in ${path.relative(process.cwd(), site)}: open index.html.`);
