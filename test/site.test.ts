/** What `npm run docs` holds its pages to. It builds them itself, in .github/workflows/docs.yml too. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { foreign, siteProblems } from '../scripts/site-problems.mjs';
import { temporaryFolder } from './cli/rawcall.ts';

const root = path.join(import.meta.dirname, '..');

test.each([
  ['a.html', '<script src="https://example.com/a.js"></script>', 'https://example.com/a.js'],
  ['a.html', '<link rel="stylesheet" href="//example.com/a.css">', '//example.com/a.css'],
  ['a.html', '<img srcset="a.png, https://example.com/b.png 2x">', 'https://example.com/b.png 2x'],
  ['a.html', '<p style="background: url(https://example.com/c.png)">', 'https://example.com/c.png'],
  ['a.css', '@import "https://example.com/a.css";', 'https://example.com/a.css'],
  ['a.js', 'fetch("https://example.com")', 'fetch("https://'],
  ['a.js', 'new WebSocket(there)', 'new WebSocket'],
])('%s with %s asks somebody else', (name, text, what) => {
  expect(foreign(name, text)).toEqual([expect.stringContaining(what)]);
});

test.each([
  ['a.html', '<a href="https://example.com">there</a><script src="../assets/main.js"></script>'],
  ['a.css', 'p { background: url("data:image/svg+xml;utf8,<svg xmlns=\'http://www.w3.org/2000/svg\'>") }'],
  ['a.js', 'const names = "http://www.w3.org/2000/svg"; import("./search.js")'],
])('%s with %s asks nobody', (name, text) => {
  expect(foreign(name, text)).toEqual([]);
});

test('a link that leads nowhere, or out of the site, is told with its page', () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'documents'));
  writeFileSync(path.join(folder, 'index.html'), '<a href="documents/a.html#x">A</a> <a href="b.html">B</a>');
  writeFileSync(
    path.join(folder, 'documents', 'a.html'),
    '<a class="z" href="../../c.html">C</a> <a href="../index.html">I</a>',
  );
  expect(siteProblems(folder).sort()).toEqual([
    'documents/a.html: links to ../../c.html, which is not there',
    'index.html: links to b.html, which is not there',
  ]);
});

test('every page of docs/ is a document of it, and it is published by a workflow that builds it so', () => {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const { projectDocuments, entryPoints } = JSON.parse(read('typedoc.json'));
  expect(projectDocuments).toContain('docs/*.md');
  const { exports, scripts, files } = JSON.parse(read('package.json'));
  expect(entryPoints).toHaveLength(Object.keys(exports).filter(name => !name.endsWith('.json')).length);
  expect(scripts.docs).toBe('node scripts/site.mjs');
  expect(files.some((name: string) => name.startsWith('site'))).toBe(false);
  const { jobs } = parse(read('.github/workflows/docs.yml'));
  const commands = jobs.build.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(commands).toEqual(['npm ci', 'npm run docs']);
  expect(jobs.publish).toMatchObject({
    needs: 'build',
    permissions: { pages: 'write', 'id-token': 'write' },
  });
});
