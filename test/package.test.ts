/** What is published: its files, the notices in it, how it is released, and what is said about it. installed.test.ts installs it. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { foreignPackages, notices } from '../scripts/notices.mjs';
import { exportTargets, fileProblems, sizeProblem } from '../scripts/package-files.mjs';
import { temporaryFolder } from './cli/rawcall.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const json = (file: string) => JSON.parse(read(file));
const manifest = json('package.json');

describe('the files', () => {
  const least = [
    'README.md',
    'LICENSE',
    'dist/THIRD-PARTY.md',
    'dist/cli.js',
    'dist/playground/index.html',
    'models/practice/practice.gguf',
    'models/catalog.yaml',
    'models/catalog.schema.json',
    'tasks/starter.yaml',
    'src/convert/quantize.py',
    ...exportTargets(manifest),
  ].map(file => ({ path: file, size: 1 }));

  test('what exports and bin lead to is needed, types and all', () => {
    expect(exportTargets(manifest)).toEqual(
      expect.arrayContaining(['dist/index.js', 'dist/testing.d.ts', 'dist/ai-sdk.js', 'dist/rawcall.cjs']),
    );
    expect(fileProblems(least, manifest)).toEqual([]);
    const without = least.filter(file => file.path !== 'dist/testing.d.ts');
    expect(fileProblems(without, manifest)).toEqual(['dist/testing.d.ts is not packed, and is needed']);
  });

  test.each([
    'test/package.test.ts',
    'bench/run.ts',
    'src/index.ts',
    'dist/index.js.map',
    'models/practice/train.py',
  ])('%s is packed by no pattern', stray => {
    const problems = fileProblems([...least, { path: stray, size: 1 }], manifest);
    expect(problems).toEqual([expect.stringContaining(`${stray} is packed`)]);
  });

  test('an empty one is told, and so is a package of 15 MB', () => {
    const [first, ...others] = least;
    expect(fileProblems([{ path: first!.path, size: 0 }, ...others], manifest)).toEqual([
      'README.md is packed empty',
    ]);
    expect(sizeProblem(14_999_999)).toBeUndefined();
    expect(sizeProblem(15_000_000)).toContain('15.0 MB');
  });

  test('npm packs what is meant', async () => {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], { cwd: root });
    const [packed] = JSON.parse(stdout);
    expect(fileProblems(packed.files, manifest)).toEqual([]);
    expect(sizeProblem(packed.size)).toBeUndefined();
    // npm publish mends a path with `./` before it, and says that it removed the command.
    expect(Object.values(manifest.bin)).toEqual(['dist/rawcall.cjs']);
    expect(read('dist/THIRD-PARTY.md')).toBe(notices(path.join(root, 'dist')));
    // The playground's page is bundled apart from the rest.
    expect(foreignPackages(path.join(root, 'dist'))).toEqual(expect.arrayContaining(['marked', 'preact']));
  });
});

describe('notices', () => {
  function bundle(...inputs: string[]): string {
    const folder = temporaryFolder();
    writeFileSync(
      path.join(folder, 'a.js'),
      inputs.map(input => `//#region ${input}\n//#endregion\n`).join(''),
    );
    return folder;
  }

  test('our own code needs none', () => {
    expect(notices(bundle('src/format.ts', 'templates/qwen.ts'))).toContain('no code of other packages');
  });

  test('the licence of each package, and of a helper of the bundler', () => {
    const folder = bundle(
      'src/format.ts',
      'node_modules/commander/lib/command.js',
      'node_modules/@hono/node-server/dist/index.mjs',
      '\\0@oxc-project+runtime@0.127.0/helpers/usingCtx.js',
    );
    expect(foreignPackages(folder)).toEqual(['@hono/node-server', '@oxc-project/runtime', 'commander']);
    const text = notices(folder);
    expect(text).toContain('## commander\n\n```\n(The MIT License)');
    expect(text.match(/^## /gm)).toHaveLength(3);
    expect(text.match(/Permission is hereby granted/g)).toHaveLength(3);
  });

  test('a package without a licence stops the packing', () => {
    expect(() => notices(bundle('node_modules/not-there/index.js'))).toThrow('not-there is in the bundle');
  });
});

test('the bill of materials has what is installed and what is bundled, each with its licence', async () => {
  const script = path.join(root, 'scripts', 'bill-of-materials.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 2 ** 26 });
  const bill = JSON.parse(stdout);
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'rawcall' } } });
  const components: { name: string; licenses?: unknown[] }[] = bill.components;
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(foreignPackages(path.join(root, 'dist'))));
  expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
  expect(names).not.toContain('vitest');
  expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
});

describe('what is said about it', () => {
  test('SECURITY.md names code and tests that are there', () => {
    const named = [...read('SECURITY.md').matchAll(/`((?:src|test|templates|parsers)\/[\w./-]*)`/g)];
    expect(named.length).toBeGreaterThan(40);
    for (const [, file = ''] of named) expect(existsSync(path.join(root, file)), file).toBe(true);
  });
});

test('the lock file names no host, and has the hash of every package', () => {
  const { packages } = json('package-lock.json');
  for (const [place, entry] of Object.entries<Record<string, unknown>>(packages)) {
    expect(entry, place).not.toHaveProperty('resolved');
    if (place !== '' && !entry.inBundle) expect(entry, place).toHaveProperty('integrity');
  }
});

describe('workflows', () => {
  const commands = (job: { steps: { run?: string }[] }) => job.steps.flatMap(({ run }) => run?.trim() ?? []);

  test('CI runs what the README says, on every Node that is promised', () => {
    expect(read('.ci/run')).toMatch(/^npm ci\nnpm test\n$/m);
    const { jobs } = parse(read('.github/workflows/ci.yml'));
    expect(jobs.test.strategy.matrix.node).toEqual([20, 22, 24]);
    expect(commands(jobs.test)).toEqual(['.ci/run']);
  });

  test('a release is tested before it is published, with provenance and without a token', () => {
    const text = read('.github/workflows/release.yml');
    const { jobs } = parse(text);
    expect(jobs.publish.permissions['id-token']).toBe('write');
    const run = commands(jobs.publish);
    const at = (part: string) => run.findIndex(command => command.includes(part));
    expect(at('.ci/run')).toBeGreaterThanOrEqual(0);
    expect(at('bill-of-materials')).toBeGreaterThan(at('.ci/run'));
    expect(at('npm publish --provenance')).toBeGreaterThan(at('bill-of-materials'));
    expect(text).not.toMatch(/NODE_AUTH_TOKEN|secrets\./);
  });
});
