/** A format of one's own: what is wrong with a module is told by name, before anything is done with it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isFormatPath } from '../src/format-module.ts';
import { openFormat, openReader } from '../src/open-format.ts';
import { promptText } from '../templates/prompt.ts';
import { temporaryFolder } from './cli/rawcall.ts';

const parts = {
  name: `name: 'mine'`,
  template: `template: {
    name: 'mine', stops: ['<end>'], controlTokens: ['<end>'],
    render: ({ messages }) => messages.map(({ content }) => ({ text: content, origin: 'user' })),
  }`,
  parser: `parser: {
    name: 'mine', write: () => [],
    start: () => ({ push: ({ text }) => [{ type: 'text-delta', text }], end: () => [] }),
  }`,
};

function written(code: string, name = 'mine.mjs'): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, code);
  return file;
}

const module = (changed: Partial<typeof parts>) =>
  `export default { ${Object.values({ ...parts, ...changed }).join(', ')} };`;

test('a module with all its parts is a format', async () => {
  const format = await openFormat(written(module({})));
  expect(format.name).toBe('mine');
  expect(promptText(format.template.render({ messages: [{ role: 'user', content: 'Hi' }], tools: [] }))).toBe(
    'Hi',
  );
  expect(await openReader(written(module({})))).toMatchObject({ name: 'mine' });
});

test.each<[string, string, RegExp]>([
  ['no default export', 'export const format = {};', /it has no default export/],
  [
    'a default export that is none',
    'export default 7;',
    /its default export is a number; it must be an object/,
  ],
  ['no name', module({ name: `called: 'mine'` }), /: name is missing/],
  ['no template', module({ template: 'other: 1' }), /: template is missing/],
  ['no parser', module({ parser: 'other: 1' }), /: parser is missing/],
  ['no stops', module({ template: parts.template.replace(`['<end>'],`, '[],') }), /: template\.stops is /],
  [
    'no tokens',
    module({ template: parts.template.replace('controlTokens', 'tokens') }),
    /template\.controlTokens is missing/,
  ],
  [
    'no render',
    module({ template: parts.template.replace('render:', 'write:') }),
    /template\.render is missing/,
  ],
  [
    'a prefill that is no function',
    module({ template: parts.template.replace('render:', `prefill: '<think>', render:`) }),
    /template\.prefill is a string/,
  ],
  ['no write', module({ parser: parts.parser.replace('write:', 'print:') }), /parser\.write is missing/],
  ['no start', module({ parser: parts.parser.replace('start:', 'begin:') }), /parser\.start is missing/],
  [
    'a prompt that is a string',
    module({ template: parts.template.replace(/messages\.map.*/, `'Hi',`) }),
    /what template\.render returns is a string/,
  ],
  [
    'a render that fails',
    module({ template: parts.template.replace('messages.map', 'messages.first.map') }),
    /template\.render failed for one user message/,
  ],
  [
    'a reading without an end',
    module({ parser: parts.parser.replace('end:', 'close:') }),
    /an object with push and end/,
  ],
  [
    'events that are none',
    module({ parser: parts.parser.replace(`[{ type: 'text-delta', text }]`, '[text]') }),
    /what the reading returns/,
  ],
  ['code that is broken', 'export default {', /no module that can be loaded/],
])('%s', async (_, code, message) => {
  const file = written(code);
  await expect(openFormat(file)).rejects.toMatchObject({
    code: 'bad_format',
    message: expect.stringMatching(message),
    details: { file },
  });
});

test('a file that is not there, and one that Node cannot read', async () => {
  await expect(openFormat('./nowhere/mine.mjs')).rejects.toMatchObject({
    code: 'bad_format',
    message: expect.stringContaining('./nowhere/mine.mjs: there is no such file'),
  });
});

test('a path is told from a name', () => {
  for (const name of ['./mine', '../a/b.js', 'mine.mjs', 'mine.ts', 'C:\\formats\\mine'])
    expect(isFormatPath(name), name).toBe(true);
  for (const name of ['qwen2.5', 'llama3-json', 'jinja:glm4.7', 'deepseek-v3.1'])
    expect(isFormatPath(name), name).toBe(false);
});

test('names, aliases and jinja', async () => {
  expect((await openFormat('qwen3')).name).toBe('qwen');
  await expect(openFormat('nope')).rejects.toMatchObject({ code: 'unknown_format' });
  await expect(openFormat('jinja')).rejects.toMatchObject({ code: 'bad_chat_template' });
  await expect(openFormat('jinja:nope')).rejects.toMatchObject({ code: 'unknown_format' });
  expect((await openReader('jinja:qwen3')).name).toBe('qwen');
  await expect(openReader('jinja')).rejects.toMatchObject({
    message: expect.stringContaining('jinja:hermes'),
  });
});
