/** `--tool-schemas`, and the same key in a server's entry. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fixture } from '../mcp/helpers.ts';
import { rawcall, temporaryFolder } from './rawcall.ts';

function configOf(more: object = {}): string[] {
  const file = path.join(temporaryFolder(), 'mcp.json');
  const { command, args } = fixture('odd-schemas');
  writeFileSync(file, JSON.stringify({ mcpServers: { places: { command, args, ...more } } }));
  return ['--mcp-config', file];
}

const shown = async (...args: string[]) => {
  const { stderr } = await rawcall([
    'run',
    'Hi',
    '--format',
    'hermes',
    '--show',
    'prompt',
    '--max-tokens',
    '1',
    ...args,
  ]);
  return stderr;
};

test('a run shows simplified schemas where that is asked for, by the flag or by the entry', async () => {
  const [plain, flag, entry, over] = await Promise.all([
    shown(...configOf()),
    shown(...configOf(), '--tool-schemas', 'simplified'),
    shown(...configOf({ toolSchemas: 'simplified' })),
    shown(...configOf({ toolSchemas: 'original' }), '--tool-schemas', 'simplified'),
  ]);
  for (const prompt of [plain, over]) {
    expect(prompt).toContain('"$ref": "#/$defs/point"');
    expect(prompt).toContain('anyOf');
  }
  for (const prompt of [flag, entry]) {
    expect(prompt).toContain('"latitude": {"type": "number"}');
    expect(prompt).toContain('{"type": "string", "enum": ["town", "lake"]}');
    expect(prompt).toContain('1..50; or null');
    expect(prompt).not.toMatch(/\$ref|\$defs|anyOf|oneOf/);
  }
});

test('the tokens of simplified schemas are counted as they are shown', async () => {
  const tokens = async (...args: string[]) => {
    const { json } = await rawcall([
      'tools',
      '--tokens',
      '--json',
      '--format',
      'hermes',
      ...configOf(),
      ...args,
    ]);
    return json().find(({ name }) => name === 'find_places').tokens;
  };
  const [original, simplified] = await Promise.all([tokens(), tokens('--tool-schemas', 'simplified')]);
  expect(simplified).toBeLessThan(original);
});

test('render takes it too, and a wrong word in an entry is told with its place', async () => {
  const file = path.join(temporaryFolder(), 'dialogue.json');
  const tools = [{ name: 'a', inputSchema: { type: 'object', properties: { b: { const: 'c' } } } }];
  writeFileSync(file, JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], tools }));
  const { stdout } = await rawcall([
    'render',
    file,
    '--format',
    'qwen',
    '--raw',
    '--tool-schemas',
    'simplified',
  ]);
  expect(stdout).toContain('{"b": {"type": "string", "enum": ["c"]}}');
  const wrong = await rawcall(['tools', ...configOf({ toolSchemas: 'simple' })]);
  expect(wrong.stderr).toMatch(
    /mcp\.json:\d+:\d+: "toolSchemas" of the server "places" must be original or simplified/,
  );
  expect(wrong.stdout).toBe('No tools.\n');
});
