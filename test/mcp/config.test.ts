// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are the config file's own.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseMcpConfig, readMcpConfig } from '../../src/mcp/config.ts';

const parse = (text: string, environment = {}) => parseMcpConfig(text, 'conf/mcp.json', environment);
const one = (entry: object, environment = {}) =>
  parse(JSON.stringify({ mcpServers: { one: entry } }), environment)[0];

describe('what is read', () => {
  test('the shape that other clients use, with comments', () => {
    const text = `{
      // where the notes are
      "mcpServers": {
        "vault": { "type": "stdio", "command": "rawcall", "args": ["mcp-server", "vault", "notes"], },
        "calc": { "command": "rawcall", "args": ["mcp-server", "calc"], "env": { "LEVEL": "1" } },
      },
      "theme": "dark"
    }`;
    expect(parse(text)).toEqual([
      { name: 'vault', command: 'rawcall', args: ['mcp-server', 'vault', 'notes'], env: {} },
      { name: 'calc', command: 'rawcall', args: ['mcp-server', 'calc'], env: { LEVEL: '1' } },
    ]);
  });

  test('a folder is relative to the file', () => {
    expect(one({ command: 'a', cwd: 'sub' })).toMatchObject({ cwd: resolve('conf', 'sub') });
    expect(one({ command: 'a', cwd: resolve('/sub') })).toMatchObject({ cwd: resolve('/sub') });
  });

  test('variables in texts', () => {
    const entry = { command: 'a', args: ['${A}/x', '${env:A}', '${B:-none}', '$A'], env: { K: 'v${E:-}w' } };
    expect(one(entry, { A: '1', B: '' })).toMatchObject({
      args: ['1/x', '1', 'none', '$A'],
      env: { K: 'vw' },
    });
  });

  test('a byte order mark', () => {
    expect(parse('\uFEFF{"mcpServers": {"a": {"command": "b"}}}')).toHaveLength(1);
  });

  test('a file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'rawcall-')), 'mcp.json');
    writeFileSync(file, '{"mcpServers": {"a": {"command": "b"}}}');
    expect(await readMcpConfig(file)).toEqual([{ name: 'a', command: 'b', args: [], env: {} }]);
  });
});

describe('a server that cannot be started is told with the others', () => {
  test('a variable that is not set, by its name and without any value', () => {
    const entry = { command: 'a', args: ['${TOKEN}'], env: { K: '${SECRET}${KEY}' } };
    expect(one(entry, { SECRET: 'hunter2' })).toEqual({
      name: 'one',
      unusable: 'failed',
      reason: 'the environment has no TOKEN, KEY. Set it, or give a default: ${TOKEN:-…}',
    });
  });

  test('switched off', () => {
    expect(one({ command: '${NOT_SET}', disabled: true })).toMatchObject({ unusable: 'disabled' });
  });

  test('over HTTP', () => {
    const entry = { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'x' } };
    expect(one(entry)).toMatchObject({ unusable: 'failed', reason: expect.stringContaining('"command"') });
  });
});

describe('mistakes are errors with their place and a remedy', () => {
  test.each([
    ['', '1:1', 'Mend it there'],
    ['{"mcpServers": {\n  "a": {"command" "b"}\n}}', '2:19', 'colon expected'],
    ['[]', '1:1', 'Write {"mcpServers": {…}}'],
    ['{"servers": {}}', '1:1', 'there is no "mcpServers"'],
    ['{"mcpServers": []}', '1:16', 'must be an object'],
    ['{"mcpServers": {}}', '1:16', 'Add a server'],
    ['{"mcpServers": {"a": "b"}}', '1:22', 'the server "a" must be an object'],
    ['{"mcpServers": {"a": {}}}', '1:22', 'has no "command"'],
    [
      '{"mcpServers": {\n"a": {"command": "b",\n "arg": []}}}',
      '3:9',
      'unknown key "arg". Known are: type, command',
    ],
    ['{"mcpServers": {"a": {"command": 1}}}', '1:34', '"command" of the server "a" must be a text'],
    ['{"mcpServers": {"a": {"command": "b", "args": "c"}}}', '1:47', 'must be a list of texts'],
    ['{"mcpServers": {"a": {"command": "b", "args": [1]}}}', '1:47', 'must be a list of texts'],
    ['{"mcpServers": {"a": {"command": "b", "env": {"X": 1}}}}', '1:46', 'must be an object of texts'],
    ['{"mcpServers": {"a": {"command": "b"}, "a": {"command": "c"}}}', '1:40', 'stands here twice'],
    ['{"mcpServers": {"a": {"command": "b", "constructor": 1}}}', '1:54', 'unknown key "constructor"'],
  ])('%s', (text, place, part) => {
    expect(() => parse(text)).toThrowError(
      expect.objectContaining({
        code: 'bad_mcp_config',
        message: expect.stringMatching(new RegExp(`^conf/mcp.json:${place}: .*${escaped(part)}`)),
      }),
    );
  });

  test('no such file', async () => {
    await expect(readMcpConfig('nowhere/mcp.json')).rejects.toMatchObject({
      code: 'bad_mcp_config',
      message: 'nowhere/mcp.json: there is no such file. Give the path of a JSON file with "mcpServers".',
    });
  });
});

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
