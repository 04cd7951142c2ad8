/** rawcall(1) is made of the commands, and what prints man pages has nothing to say about it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { manPage, variables } from '../scripts/man-page.ts';
import { commandTree, everyCommand } from '../src/cli/command-tree.ts';
import { createLifetime } from '../src/cli/lifetime.ts';
import { createProgram } from '../src/cli/program.ts';

const tree = commandTree(createProgram(createLifetime(), () => {}));
const page = manPage(tree, '1.2.3');
const plain = page.replaceAll('\\-', '-').replace(/\\f[BIR]/g, '');

test('every command is there, and under it each of its flags', () => {
  const parts = new Map(plain.split('\n.SS ').map(part => [part.split('\n')[0]!, part]));
  for (const { path: words, flags, arguments: values, commands } of everyCommand(tree).slice(1)) {
    const heading = [...parts.keys()].find(
      key => key.replace(/ [<[].*/, '') === ['rawcall', ...words].join(' '),
    );
    expect(heading, words.join(' ')).toBeDefined();
    for (const { name } of values) expect(heading).toContain(name);
    if (commands.length > 0) continue;
    for (const { names } of flags) expect(parts.get(heading!)).toContain(names.at(-1));
  }
});

test('a flag of several commands is told once', () => {
  const [, shared = ''] = plain.split('.SH "OPTIONS OF SEVERAL COMMANDS"');
  expect(plain.match(/^--context-size/gm)).toHaveLength(1);
  expect(shared).toContain('--context-size <tokens>\ntokens that the context holds');
  expect(plain).toContain('--gpu <kind>\nwhat computes (auto, metal, cuda, vulkan, off)');
});

test('it names each variable that the code reads, and no other', () => {
  const root = path.join(import.meta.dirname, '..', 'src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => /\.c?ts$/.test(name));
  const read = files.flatMap(
    name => readFileSync(path.join(root, name), 'utf8').match(/RAWCALL_[A-Z_]+/g) ?? [],
  );
  expect(Object.keys(variables).sort()).toEqual([...new Set(read)].sort());
});

// .ci/run installs it.
test.runIf(spawnSync('groff', ['--version']).status === 0)('groff prints it without a warning', () => {
  const printed = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-P-cbou'], {
    input: page,
    encoding: 'utf8',
  });
  expect(printed.stderr).toBe('');
  expect(printed.stdout).toMatch(/^NAME\n +rawcall/m);
  expect(printed.stdout).toMatch(/EXIT STATUS\n +0 +answered/);
});

test('the build writes it', () => {
  const root = path.join(import.meta.dirname, '..');
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/write-man-page.ts'], { cwd: root });
  const { version, man } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(readFileSync(path.join(root, man), 'utf8')).toBe(manPage(tree, version));
});
