/** `rawcall check`: recorded completions, what they must come to, and how it is told. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { outcome, rawcall, start, temporaryFolder } from './rawcall.ts';

const tagged = (args: string) => `<tool_call>\n{"name": "add", "arguments": ${args}}\n</tool_call>`;
const add = (args: object) => ({ name: 'add', arguments: args });

/** A file of these lines in a folder of its own. */
function fileOf(lines: readonly (object | string)[], name = 'cases.jsonl'): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(
    file,
    lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  return file;
}

const good = {
  id: 'good',
  format: 'hermes',
  completion: tagged('{"a": 1}'),
  expected: { calls: [add({ a: 1 })] },
};
const wrong = {
  id: 'wrong',
  format: 'hermes',
  completion: `Well.\n${tagged('{"a": 2}')}`,
  expected: { calls: [add({ a: 1 })], content: 'Well' },
};

/** A format that reads each piece as a text of its own, so that every cut shows. */
const unsteady = `export default {
  name: 'unsteady',
  template: { name: 'unsteady', stops: ['<end>'], controlTokens: ['<end>'], render: () => [{ text: 'Hi', origin: 'template' }] },
  parser: {
    name: 'unsteady',
    start: () => {
      let count = 0;
      return { push: ({ text }) => [{ type: 'text-delta', text: text + count++ }], end: () => [] };
    },
    write: () => [],
  },
};`;

test('all right is one line and exit code 0', async () => {
  const { code, stdout, stderr } = await rawcall(['check', fileOf([good])]);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: '✓ 1 of 1 case in 1 file right\n',
    stderr: '',
  });
});

test('a difference is told with both values, its place, and the words it stands in', async () => {
  const file = fileOf([good, wrong]);
  const { code, stdout } = await rawcall(['check', file]);
  expect(code).toBe(1);
  const [head = '', sum] = stdout.split('\n\n');
  expect(head.split('\n')).toEqual([
    `✗ ${file}:2  wrong  (hermes)`,
    '  calls[0].arguments.a',
    '    expected  1',
    '    read      2',
    '    2:1 add',
    '       <tool_call>',
    '       ^~~~~~~~~~~',
    '  content',
    '    expected  "Well"',
    '    read      "Well."',
  ]);
  expect(sum).toMatch(/^✗ 1 of 2 cases in 1 file right, seed \d+\n$/);
});

test('a folder gives its completions files, a line with defaults holds for those after it, tools come from a file', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'inner'));
  writeFileSync(
    path.join(folder, 'tools.json'),
    JSON.stringify([{ name: 'other', inputSchema: { type: 'object' } }]),
  );
  writeFileSync(path.join(folder, 'notes.jsonl'), 'no case at all\n');
  const unknown = { completion: tagged('{}'), expected: { calls: [], problems: ['unknown_tool'] } };
  const lines = [{ defaults: { format: 'hermes', tools: '../tools.json' } }, unknown];
  writeFileSync(
    path.join(folder, 'inner', 'completions.jsonl'),
    lines.map(line => JSON.stringify(line)).join('\n'),
  );
  writeFileSync(path.join(folder, 'inner', 'more.completions.jsonl'), JSON.stringify(good));
  const { code, stdout } = await rawcall(['check', folder]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '✓ 2 of 2 cases in 2 files right\n' });
});

test('--format is for lines that name none, --filter for some of them', async () => {
  const { format: _, ...nameless } = good;
  const file = fileOf([
    { ...nameless, id: 'one' },
    { ...wrong, id: 'two' },
  ]);
  const [without, with_, filtered, none] = await Promise.all([
    rawcall(['check', file]),
    rawcall(['check', file, '--format', 'hermes']),
    rawcall(['check', file, '--format', 'hermes', '--filter', 'on']),
    rawcall(['check', file, '--filter', 'three']),
  ]);
  expect(without.code).toBe(2);
  expect(without.stdout).toContain(`${file}:1: it names no "format"`);
  expect(with_.code).toBe(1);
  expect(filtered).toMatchObject({ code: 0, stdout: '✓ 1 of 1 case in 1 file right\n' });
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toMatch(/No case has "three" in its id/);
});

test('--reporter json tells each case, each bad line and the sum', async () => {
  const { code, json } = await rawcall([
    'check',
    fileOf([good, wrong, '{']),
    '--reporter',
    'json',
    '--seed',
    '7',
  ]);
  expect(code).toBe(2);
  const [first, second, bad, summary] = json();
  expect(first).toMatchObject({
    type: 'case',
    id: 'good',
    line: 1,
    format: 'hermes',
    passed: true,
    differences: [],
  });
  expect(second).toMatchObject({
    passed: false,
    differences: [
      {
        key: 'calls',
        where: 'calls[0].arguments.a',
        expected: '1',
        read: '2',
        notes: [{ span: { start: 6, end: 69 } }],
      },
      { key: 'content', where: 'content' },
    ],
  });
  expect(bad).toMatchObject({ type: 'bad-line', message: expect.stringMatching(/cases\.jsonl:3:/) });
  expect(summary).toMatchObject({ type: 'summary', files: 1, cases: 2, failed: 1, bad: 1, seed: 7 });
});

test('--reporter junit is XML, whatever a completion holds', async () => {
  const odd = { ...wrong, id: 'a "<&>" \u0007 id' };
  const { code, stdout } = await rawcall(['check', fileOf([good, odd]), '--reporter', 'junit']);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites>\n<testsuite name="[^"]+" tests="2" failures="1" errors="0">/,
  );
  expect(stdout).toContain('<testcase classname="hermes" name="good"');
  expect(stdout).toContain('name="a &quot;&lt;&amp;&gt;&quot; \\x07 id"');
  expect(stdout).toContain('<failure message="calls[0].arguments.a, content">');
  expect(stdout).not.toContain('<tool_call>');
  expect(stdout.trimEnd()).toMatch(/<\/testsuites>$/);
});

test('--update changes what differs and not a byte besides', async () => {
  const lines = [
    '\ufeff{"defaults": {"format": "hermes"}}',
    '',
    `{ "note": "kept",   "completion": ${JSON.stringify(tagged('{"n": 12345678901234567890}'))}, "expected": { "repairs":[],"calls": [ ] } , "id": 3}\r`,
    `{"completion":${JSON.stringify(`Hi. ${tagged('{"a":1}')}`)}}`,
    JSON.stringify(good),
  ];
  const file = path.join(temporaryFolder(), 'cases.jsonl');
  writeFileSync(file, lines.join('\n'));
  chmodSync(file, 0o640);
  const { code, stdout } = await rawcall(['check', file, '--update']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '✓ 3 of 3 cases in 1 file right, 2 updated\n' });
  const written = readFileSync(file, 'utf8').split('\n');
  expect(written[2]).toBe(
    lines[2]!.replace('[ ]', '[{"name": "add", "arguments": {"n": 12345678901234567890}}]'),
  );
  expect(written[3]).toBe(
    lines[3]!.replace(
      /\}$/,
      ',"expected":{"calls":[{"name":"add","arguments":{"a":1}}],"content":"Hi.","reasoning":"","problems":[],"repairs":[]}}',
    ),
  );
  expect([written[0], written[1], written[4], written.length]).toEqual([lines[0], '', lines[4], 5]);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(path.dirname(file))).toEqual(['cases.jsonl']);
  expect((await rawcall(['check', file])).code).toBe(0);
});

test('--update follows a link, and leaves a file alone in which nothing changes', async () => {
  const file = fileOf([wrong]);
  const link = path.join(temporaryFolder(), 'link.jsonl');
  symlinkSync(file, link);
  await rawcall(['check', link, '--update']);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(file, 'utf8')).expected.content).toBe('Well.');
  const { ino, mtimeMs } = statSync(file);
  await rawcall(['check', file, '--update']);
  expect(statSync(file)).toMatchObject({ ino, mtimeMs });
});

test('an interrupted --update leaves the file as it was, and nothing beside it', async () => {
  const file = fileOf(Array.from({ length: 20_000 }, () => wrong));
  const before = statSync(file);
  const child = start(['check', file, '--update', '--reporter', 'json']);
  const done = outcome(child);
  child.stdout.once('data', () => child.kill('SIGINT'));
  expect((await done).code).toBe(130);
  expect(statSync(file)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  expect(readdirSync(path.dirname(file))).toEqual(['cases.jsonl']);
});

test('splits that disagree are told with the seed, and --update leaves them', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'unsteady.mjs'), unsteady);
  const file = path.join(folder, 'cases.jsonl');
  const line = JSON.stringify({
    format: './unsteady.mjs',
    completion: 'abc',
    expected: { content: 'other' },
  });
  writeFileSync(file, line);
  const { code, stdout } = await rawcall(['check', file, '--update', '--seed', '9']);
  expect(code).toBe(1);
  expect(stdout).toContain('the splits disagree: whole, and cut one character at a time (--seed 9)');
  expect(stdout).toMatch(
    /whole\s+\{"type":"text-delta","text":"abc0"\}\n\s+cut\s+\{"type":"text-delta","text":"a0b1c2"\}/,
  );
  expect(readFileSync(file, 'utf8')).toBe(line);
});

test('a case that expects nothing is read all the same, and says so', async () => {
  const { code, stdout } = await rawcall(['check', fileOf([{ format: 'hermes', completion: 'Hi.' }])]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^1 case without "expected": .*--update/);
});

test.each([
  [['check'], /missing required argument 'place'/],
  [['check', 'nowhere'], /nowhere: there is no such file or folder/],
  [['check', '.'], /no file in this folder is named completions\.jsonl/],
  [['check', '.', '--reporter', 'loud'], /text, json, junit/],
  [['check', '.', '--seed', 'x'], /must be a whole number/],
])('%j is a usage error', async (args, message) => {
  const { code, stdout, stderr } = await rawcall(args, { cwd: temporaryFolder() });
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('more cases than fit into memory', async () => {
  const line = `${JSON.stringify({ format: 'llama3', completion: 'Hi', expected: { content: 'Hi' }, pad: 'x'.repeat(40_000) })}\n`;
  const file = path.join(temporaryFolder(), 'cases.jsonl');
  writeFileSync(file, line.repeat(1500));
  const { code, stdout } = await rawcall(['check', file], {
    env: { NODE_OPTIONS: '--max-old-space-size=24' },
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: '✓ 1500 of 1500 cases in 1 file right\n' });
  expect(existsSync(`${file}.tmp`)).toBe(false);
});
