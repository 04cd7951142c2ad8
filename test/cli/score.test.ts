/** `rawcall check --score`: what each format makes of recordings. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rawcall, temporaryFolder } from './rawcall.ts';

const tagged = (args: string) => `<tool_call>\n{"name": "add", "arguments": ${args}}\n</tool_call>`;
const cases = [
  { id: 'good', completion: tagged('{"a": 1}'), expected: { calls: [{ name: 'add', arguments: { a: 1 } }] } },
  { id: 'two', completion: tagged('{"a": 1}') + tagged('{"a": 2}') },
  { id: 'comma', completion: tagged('{"a": 1,}'), expected: { repairs: ['trailing-comma'] } },
  { id: 'wrong', completion: tagged("{'a': 1,}"), expected: { calls: [], content: '' } },
  { id: 'cut', completion: '<tool_call>\n{"name": "add", "argu', reason: 'length' },
  { id: 'llama', format: 'llama3', completion: '[add(a=1)]' },
];

function folderOf(lines: readonly object[]): string {
  const folder = temporaryFolder();
  const all = [{ defaults: { format: 'hermes' } }, ...lines];
  writeFileSync(path.join(folder, 'completions.jsonl'), all.map(line => JSON.stringify(line)).join('\n'));
  return folder;
}

test('read, repaired by name, refused by problem, and what is not as expected', async () => {
  const folder = folderOf(cases);
  const { code, stdout } = await rawcall(['check', '--score', folder]);
  expect(code).toBe(1);
  expect(stdout.replace(/[\d,]+$/gm, 'N').split('\n')).toEqual([
    `✗ ${path.join(folder, 'completions.jsonl')}:5  wrong  (hermes): calls`,
    'format  completions  read  repaired  refused  calls  as expected  characters/s',
    expect.stringMatching(/^hermes +5 +2 +2 +1 +5 {2}2 of 3 +N$/),
    expect.stringMatching(/^llama3 +1 +1 +0 +0 +1 {2}– +N$/),
    'hermes, repaired: trailing-comma 2, single-quotes N',
    'hermes, refused: truncated N',
    '',
  ]);
});

test('--reporter json has a line for each format, with counts that add up', async () => {
  const { code, json } = await rawcall(['check', '--score', folderOf(cases), '--reporter', 'json']);
  expect(code).toBe(1);
  const [disagreement, hermes, llama] = json();
  expect(disagreement).toMatchObject({ type: 'disagreement', line: 5, id: 'wrong', where: ['calls'] });
  expect(hermes).toMatchObject({
    type: 'score',
    format: 'hermes',
    cases: 5,
    read: 2,
    repaired: 2,
    refused: 1,
    repairs: { 'trailing-comma': 2, 'single-quotes': 1 },
    problems: { truncated: 1 },
    expecting: 3,
    differing: 1,
    characters: cases.slice(0, 5).reduce((sum, { completion }) => sum + completion.length, 0),
  });
  expect(llama).toMatchObject({ format: 'llama3', cases: 1, calls: 1, expecting: 0 });
});

test('all as expected is exit code 0; a line that is no case is told, the others are counted, and it is 2', async () => {
  const [good] = cases;
  const fine = await rawcall(['check', '--score', folderOf([good!])]);
  expect(fine.code).toBe(0);
  const { code, stdout } = await rawcall(['check', '--score', folderOf([{ completion: 3 }, good!])]);
  expect(code).toBe(2);
  expect(stdout).toMatch(/^✗ .*completions\.jsonl:2: "completion" must be/);
  expect(stdout).toMatch(/^hermes +1 /m);
});

test.each([
  [['--update'], /--update.*cannot be used with.*--score/],
  [['--reporter', 'junit'], /--score tells as text or as JSON/],
  [['--filter', 'nobody'], /No case has "nobody" in its id/],
])('--score with %j is a usage error', async (flags, message) => {
  const { code, stdout, stderr } = await rawcall(['check', '--score', folderOf(cases), ...flags]);
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});
