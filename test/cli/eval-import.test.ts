import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { bfclFolder } from '../eval/bfcl/made-up.ts';
import { rawcall } from './rawcall.ts';

const importing = (folder: string, ...flags: readonly string[]) =>
  rawcall(['eval', 'import', 'bfcl', folder, ...flags]);

test('a task file goes to stdout, or to the file that is named', async () => {
  const folder = bfclFolder();
  const shown = await importing(folder, '--category', 'simple', '--category', 'irrelevance');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(parse(shown.stdout)).toMatchObject({
    matching: 'bfcl',
    tasks: [{ id: 'simple_python_0' }, { id: 'irrelevance_0', should_call_tool: false }],
  });
  const out = path.join(folder, 'tasks.yaml');
  const written = await importing(folder, '--category', 'simple', '--category', 'irrelevance', '--out', out);
  expect(written).toMatchObject({ code: 0, stdout: '' });
  expect(written.stderr).toContain(`2 tasks are in ${out}`);
  expect(readFileSync(out, 'utf8')).toBe(shown.stdout);
});

test('a sample is the same for a seed', async () => {
  const folder = bfclFolder();
  const sample = async (seed: string) => {
    const { stdout } = await importing(folder, '--category', 'parallel', '--limit', '2', '--seed', seed);
    return parse(stdout).tasks.map(({ id }: { id: string }) => id);
  };
  const [one, again, ...others] = await Promise.all(['5', '5', '6', '7', '8'].map(sample));
  expect(one).toHaveLength(2);
  expect(again).toEqual(one);
  expect(others).toContainEqual(expect.not.arrayContaining(one));
});

test.each([
  [['--category', 'simpel'], /"simpel" is no category that can be read; is it simple\?/],
  [['--limit', '0'], /--limit is "0"; it must be a whole number from 1/],
  [['--seed', 'x'], /--seed is "x"/],
])('%j is refused', async (flags, message) => {
  const { code, stderr, stdout } = await importing(bfclFolder(), ...flags);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test('what can’t be read or written is said', async () => {
  const folder = bfclFolder();
  const other = await rawcall(['eval', 'import', 'csv', folder]);
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('there is: bfcl') });
  const missing = await importing(path.join(folder, 'none'));
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('pip download') });
  const out = path.join(folder, 'none', 'tasks.yaml');
  const unwritten = await importing(folder, '--category', 'simple', '--out', out);
  expect(unwritten).toMatchObject({ code: 1, stderr: expect.stringContaining(`${out} can't be written`) });
});
