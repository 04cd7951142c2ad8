/** `rawcall completion`: its scripts, read by the shells that they are for, and asked as at a Tab. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandTree, everyCommand } from '../../../src/cli/command-tree.ts';
import { createLifetime } from '../../../src/cli/lifetime.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { rawcall, temporaryFolder } from '../rawcall.ts';

const shells = ['bash', 'fish', 'zsh'] as const;
type Shell = (typeof shells)[number];

const is = (shell: Shell) => spawnSync(shell, ['--version']).status === 0;
const commands = everyCommand(commandTree(createProgram(createLifetime(), () => {})));

/** For each line, what it comes to: of zsh the line as it is then, of the others what they offer. */
const atTab: Readonly<Record<Shell, (script: string, lines: readonly string[]) => string>> = {
  bash: (script, lines) => {
    // bash makes a word of its own of each "=".
    const words = (line: string) => line.replaceAll('=', ' = ').split(/ +/);
    const ask = (line: string) =>
      `COMP_WORDS=(${words(line)
        .map(word => `'${word}'`)
        .join(' ')}); COMP_CWORD=${words(line).length - 1}; _rawcall; echo "\${COMPREPLY[*]}"`;
    return [`source ${script}`, ...lines.map(ask)].join('\n');
  },
  fish: (script, lines) =>
    [
      `source ${script}`,
      ...lines.map(line => `complete -C '${line}' | string split -f 1 \\t | string join ' '`),
      'true',
    ].join('\n'),
  // zsh completes on a terminal alone.
  zsh: (script, lines) => `
    zmodload zsh/zpty
    zpty inner 'TERM=dumb zsh -f -i'
    zpty -w inner 'PS1=; autoload -Uz compinit; compinit -D -u; source ${script}; rawcall() { print -r -- "GOT:$*:" }; print REA""DY'
    zpty -r inner out '*READY*'
    for line in ${lines.map(line => `'${line}'`).join(' ')}; do
      zpty -w -n inner "$line"$'\\t\\n'
      zpty -r inner out '*GOT:*:*'
      print -r -- "rawcall \${\${out##*GOT:}%%:*}"
    done
    zpty -d inner`,
};

const options: Readonly<Record<Shell, string>> = { bash: '--norc', fish: '--no-config', zsh: '-f' };

async function completed(shell: Shell, lines: readonly string[]): Promise<string[]> {
  const folder = temporaryFolder();
  const script = path.join(folder, 'script');
  const { stdout } = await rawcall(['completion', shell]);
  writeFileSync(script, stdout);
  writeFileSync(path.join(folder, 'only.gguf'), '');
  const ask = path.join(folder, 'ask');
  writeFileSync(ask, atTab[shell](script, lines));
  const asked = spawnSync(shell, [options[shell], ask], { cwd: folder, encoding: 'utf8' });
  expect(asked).toMatchObject({ status: 0, stderr: '' });
  return asked.stdout
    .trimEnd()
    .split('\n')
    .map(row => row.trimEnd());
}

// Of what there is one each, so that it is also what a Tab completes.
const single: readonly (readonly [line: string, word: string])[] = [
  ['rawcall mcp lis', 'list'],
  ['rawcall run --gpu cu', 'cuda'],
  ['rawcall run --gpu=vu', 'vulkan'],
  ['rawcall chat --format qwen2', 'qwen2.5'],
  ['rawcall run --jso', '--json'],
  ['rawcall run --model on', 'only.gguf'],
  ['rawcall run "Hi" --endpoint-m', '--endpoint-model'],
  ['rawcall formats detect on', 'only.gguf'],
  ['rawcall eval starte', 'starter'],
  ['rawcall mcp-server va', 'vault'],
  ['rawcall completion fi', 'fish'],
];

// .ci/run installs the three.
describe.each(shells)('%s', shell => {
  test.runIf(is(shell))('commands, flags, their values and files', async () => {
    const lines = single.map(([line]) => line.replaceAll('"', ''));
    const rows = await completed(shell, lines);
    // fish gives "--gpu=vulkan" whole, and zsh the line.
    expect(rows.map(row => row.split(/[ =]/).at(-1))).toEqual(single.map(([, word]) => word));
  });
});

test.runIf(is('bash'))('bash: every command, and every flag of each', async () => {
  const at = (words: readonly string[], last: string) => ['rawcall', ...words, last].join(' ');
  const rows = await completed(
    'bash',
    commands.flatMap(({ path }) => [at(path, ''), at(path, '-')]),
  );
  for (const [index, node] of commands.entries()) {
    const below = node.commands.map(({ path }) => path.at(-1));
    expect(rows[2 * index]!.split(' ')).toEqual(expect.arrayContaining(below));
    const flags = node.flags.flatMap(({ names }) => names);
    expect(rows[2 * index + 1]!.split(' ').sort()).toEqual(flags.sort());
  }
});

test.runIf(is('fish'))('fish: every command and flag with what it is', async () => {
  const { stdout } = await rawcall(['completion', 'fish']);
  const rows = stdout.split('\n');
  for (const { path, flags } of commands) {
    const mine = rows.filter(row => row.includes(`'__rawcall_at \\'${path.join(' ')}\\''`)).join('\n');
    for (const { names } of flags)
      for (const name of names)
        expect(mine).toContain(name.replace(/^--/, '-l ').replace(/^-(?=\w$)/, '-s '));
  }
});

test('a shell that has none is told, and which have', async () => {
  const { code, stderr } = await rawcall(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/tcsh[\s\S]*bash, zsh, fish/);
});
