/** Flags, config files and what is wrong with them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rawcall, temporaryFolder } from './rawcall.ts';

test('help and version end well', async () => {
  const [help, version] = await Promise.all([rawcall(['--help']), rawcall(['--version'])]);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const command of ['run', 'chat', 'render', 'parse', 'check', 'mcp-server'])
    expect(help.stdout).toContain(`  ${command} `);
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  [['run', 'Hi', '--nope'], /unknown option '--nope'/],
  [['rum'], /unknown command 'rum'\n.*run/],
  [['run', 'Hi', '--temperature', 'warm'], /must be a number/],
  [['run', 'Hi', '--top-p', '2'], /must be from 0 to 1/],
  [['run', 'Hi', '--seed', '1.5'], /must be a whole number/],
  [['run', 'Hi', '--gpu', 'abacus'], /auto, metal, cuda, vulkan, off/],
  [['run', 'Hi', '--show', 'prompt,all'], /must be one of prompt, calls/],
  [['run', 'Hi', '--approve', 'perhaps'], /"perhaps" is no approval rule/],
  [['run', 'Hi', '--format', 'nope'], /no format "nope"/],
  [['run', 'Hi', '--mcp-args', 'mcp-server calc'], /give --mcp-command/],
  [['run', 'Hi', '--mcp-config', 'nowhere.json'], /nowhere\.json: there is no such file/],
  [['run', 'Hi', '--mcp-command', 'x', '--mcp-args', '"a'], /closing/],
  [['run', '  '], /question is empty/],
  [['chat', '--resume', '-'], /--resume takes a file/],
  [['chat', '--save', '-'], /--save takes a file/],
  [['parse'], /Give --format/],
  [['parse', '--all-formats', '--jsonl'], /neither --events nor --jsonl/],
  [['mcp-server', 'nope'], /calc, materials, vault/],
])('%j is a usage error', async (args, message) => {
  const { code, stdout, stderr } = await rawcall(args);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test.each([
  [
    '{ // a comment\n  "temprature": 1 }',
    /rawcall\.json:2:3: unknown key "temprature"\. Did you mean "temperature"\?/,
  ],
  ['{"temperature": "hot"}', /rawcall\.json:1:17: "temperature" must be a number, not "hot"/],
  ['{"thinking": 1}', /"thinking" must be true or false/],
  ['{"show": ["all"]}', /"show" must be one of/],
  ['{"model": 7}', /"model" must be a text/],
  ['{"seed": 1 "gpu": "off"}', /rawcall\.json:1:12: not JSON/],
  ['[]', /must be an object/],
])('a config of %s is told with its place', async (content, message) => {
  const folder = temporaryFolder();
  const inner = path.join(folder, 'a', 'b');
  mkdirSync(inner, { recursive: true });
  writeFileSync(path.join(folder, 'rawcall.json'), content);
  const { code, stderr } = await rawcall(['parse'], { cwd: inner });
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

test('a config file sets what no flag does', async () => {
  const folder = temporaryFolder();
  writeFileSync(
    path.join(folder, '.rawcallrc'),
    '{"format": "hermes", "topK": 3, /* of other commands */ "json": true,}',
  );
  const stdin = '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>';
  const configured = await rawcall(['parse'], { cwd: folder, stdin });
  expect(configured.json()).toMatchObject([{ calls: [{ name: 'add', arguments: { a: 1 } }] }]);
  const overridden = await rawcall(['parse', '--format', 'llama3'], { cwd: folder, stdin: '[add(a=2)]' });
  expect(overridden.json()).toMatchObject([{ calls: [{ name: 'add', arguments: { a: 2 } }] }]);
});
