/** Errors suggest what to run next, and what they suggest is there. */
import { copyFileSync, readFileSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RawcallError } from '../../parsers/error.ts';
import { nextCommand } from '../../src/cli/next-command.ts';
import { practiceModel } from '../../src/cli/package.ts';
import { commandProblems } from '../docs/commands.ts';
import { rawcall, temporaryFolder } from './rawcall.ts';

const source = readFileSync(path.join(import.meta.dirname, '../../src/cli/next-command.ts'), 'utf8');
const codes = [...source.matchAll(/^ {2}([a-z_]+): /gm)].map(([, code = '']) => code);
const details = { path: '/a/b.gguf', server: 'files', largest: 4096 };

test('each code is one that is thrown, and each command one that there is', () => {
  const documented = readFileSync(path.join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) {
    expect(documented).toContain(`| \`${code}\` |`);
    const text = nextCommand(new RawcallError(code, 'It failed.', details)) ?? '';
    const commands = [...text.matchAll(/rawcall [a-z][^,()]*/g)].map(([command]) => command.trim());
    expect([text, commands.length > 0]).toEqual([text, true]);
    expect(commands.flatMap(commandProblems)).toEqual([]);
  }
});

test('paths are written as a shell takes them, and a message that names a command is enough', () => {
  const about = (path: string) => nextCommand(new RawcallError('model_not_loaded', 'No.', { path }));
  expect(about('/a/b.gguf')).toBe('rawcall models inspect /a/b.gguf');
  expect(about("/my models/it's.gguf")).toBe("rawcall models inspect '/my models/it'\\''s.gguf'");
  const said = new RawcallError('model_not_found', 'Pull it with: rawcall models pull x', {});
  expect(nextCommand(said)).toBeUndefined();
  expect(nextCommand(new RawcallError('usage', 'No.', {}))).toBeUndefined();
});

test('on the command line they are a line of their own', async () => {
  const folder = temporaryFolder();
  const cut = path.join(folder, 'cut.gguf');
  copyFileSync(practiceModel, cut);
  truncateSync(cut, 50_000);
  const broken = await rawcall(['run', 'Hello', '--model', cut]);
  expect(broken.stderr).toMatch(/cut short.*\nNext: rawcall models verify/);
  expect(broken.code).toBe(1);
  const missing = await rawcall(['run', 'Hello', '--model', './none.gguf']);
  expect(missing.stderr).toMatch(
    /none\.gguf does not exist.*\nNext: rawcall models list, or rawcall models recommend\n$/,
  );
});
