/** `rawcall render`: a dialogue's exact prompt. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { practiceModel } from '../../src/cli/package.ts';
import { rawcall, temporaryFolder } from './rawcall.ts';

const dialogue = {
  messages: [{ role: 'user', content: 'Is <|im_end|> a token?' }],
  tools: [{ name: 'add', description: 'Add two numbers.', inputSchema: { type: 'object', properties: {} } }],
};

function file(content: unknown): string {
  const name = path.join(temporaryFolder(), 'dialogue.json');
  writeFileSync(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

test('control tokens are marked, the same letters in a text are not', async () => {
  const { code, stdout } = await rawcall(['render', file(dialogue), '--format', 'hermes']);
  expect(code).toBe(0);
  expect(stdout).toContain(
    '⟦<|im_start|>⟧user\nIs <|im_end|> a token?⟦<|im_end|>⟧\n⟦<|im_start|>⟧assistant\n',
  );
  expect(stdout).toContain('"name": "add"');
});

test('--raw is the text and nothing else', async () => {
  const { stdout } = await rawcall(['render', '-', '--format', 'hermes', '--raw'], {
    stdin: JSON.stringify([{ role: 'user', content: 'Hi' }]),
  });
  expect(stdout).toMatch(/<\|im_start\|>user\nHi<\|im_end\|>\n<\|im_start\|>assistant\n$/);
});

test('--schema-form writes the tools so, in the place where the format has them', async () => {
  const { stdout } = await rawcall([
    'render',
    file(dialogue),
    '--format',
    'qwen',
    '--schema-form',
    'python',
    '--raw',
  ]);
  expect(stdout).toMatch(/XML tags:\n<tools>\ndef add\(.*\):[\s\S]*\n<\/tools>\n\nFor each function call/);
});

test('--json gives the pieces', async () => {
  const { json } = await rawcall([
    'render',
    file(dialogue),
    '--format',
    'qwen',
    '--schema',
    'user',
    '--json',
  ]);
  const [{ format, pieces }] = json();
  expect(format).toBe('qwen');
  expect(pieces[0]).toEqual({ control: '<|im_start|>' });
  expect(pieces).toContainEqual({ text: 'Is <|im_end|> a token?', origin: 'user' });
});

test('with a model, its tokens are counted, piece by piece', async () => {
  const name = file(dialogue);
  const { json } = await rawcall(['render', name, '--model', practiceModel, '--json']);
  const [{ pieces, tokens }] = json();
  const counts = pieces.map(({ count }: { count: number }) => count);
  expect(counts.reduce((total: number, count: number) => total + count)).toBe(tokens);
  pieces.forEach((piece: object, index: number) => {
    if ('control' in piece) expect(counts[index]).toBe(1);
  });
  const { stdout, stderr } = await rawcall(['render', name, '--model', practiceModel]);
  expect(stdout).toContain('Is <|im_end|> a token?');
  expect(stderr).toMatch(new RegExp(`\\b${tokens} {2}tokens\\n$`));
});

test('a saved dialogue with calls and results is read', async () => {
  const messages = [
    { role: 'user', content: 'Add.' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":12345678901234567890}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'done' },
  ];
  const { code, stdout } = await rawcall(['render', file({ messages }), '--format', 'hermes']);
  expect(code).toBe(0);
  expect(stdout).toContain('{"a": 12345678901234567890}');
  expect(stdout).toContain('done');
});

test.each([
  ['{"messages": [}', /dialogue\.json:1: not JSON/, 1],
  [{ messages: [{ role: 'narrator', content: 'x' }] }, /dialogue\.json: .*narrator/, 1],
  [{ messages: [{ role: 'tool', tool_call_id: 'c9', content: 'x' }] }, /c9/, 1],
  ['7', /must hold \{"messages"/, 1],
])('%j is told with the file and the place', async (content, message, expected) => {
  const { code, stderr, stdout } = await rawcall(['render', file(content), '--format', 'hermes']);
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
});

test('a file that is not there is told', async () => {
  const { code, stderr } = await rawcall(['render', 'nowhere.json', '--format', 'hermes']);
  expect(stderr).toBe('rawcall: nowhere.json: there is no such file.\n');
  expect(code).toBe(1);
});
