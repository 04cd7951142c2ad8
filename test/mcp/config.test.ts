// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are the config file's own.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkEntry, parseMcpConfig, readMcpConfig } from '../../src/mcp/config.ts';

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

describe('what a server is for, and may do', () => {
  test('every key of ours', () => {
    const settings = {
      tools: { allow: ['read_*'], deny: ['read_secret'] },
      approval: 'never',
      trust: true,
      timeout: 1500,
    };
    expect(one({ command: 'a', ...settings, roots: ['sub', '~/notes', 'file:///srv/data%20x'] })).toEqual({
      name: 'one',
      command: 'a',
      args: [],
      env: {},
      ...settings,
      roots: [resolve('conf', 'sub'), join(homedir(), 'notes'), '/srv/data x'],
    });
  });

  test.each([
    [{ url: 'https://example.com/mcp' }, {}],
    [{ type: 'http', url: 'https://example.com/mcp' }, { transport: 'http' }],
    [{ type: 'streamable-http', url: 'https://example.com/mcp' }, { transport: 'http' }],
    [{ type: 'streamableHttp', url: 'https://example.com/mcp' }, { transport: 'http' }],
    [{ type: 'sse', url: 'https://example.com/mcp' }, { transport: 'sse' }],
  ])('a server over HTTP: %j', (entry, transport) => {
    expect(one({ ...entry, headers: { 'X-Key': '${KEY}' } }, { KEY: 'hunter2' })).toEqual({
      name: 'one',
      url: 'https://example.com/mcp',
      headers: { 'X-Key': 'hunter2' },
      ...transport,
      variables: { KEY: 'hunter2' },
    });
  });

  test('how to log in', () => {
    const auth = {
      grant: 'client_credentials',
      clientId: 'me',
      clientSecret: '${S}',
      scope: 'a b',
      callbackPort: 1,
    };
    expect(one({ url: 'https://a.b', auth }, { S: 'hunter2' })).toMatchObject({
      auth: { ...auth, clientSecret: 'hunter2' },
      variables: { S: 'hunter2' },
    });
    const cursor = { CLIENT_ID: 'me', CLIENT_SECRET: 'x', scopes: ['a', 'b'] };
    expect(one({ url: 'https://a.b', auth: cursor })).toMatchObject({
      auth: { clientId: 'me', clientSecret: 'x', scope: 'a b' },
    });
  });

  test('keys that only the other kind of server has are told', () => {
    expect(one({ command: 'a', headers: {} })).toMatchObject({
      warnings: ['"headers" is not used: it is for servers with a "url"'],
    });
    expect(one({ url: 'https://a.b', args: [] })).toMatchObject({
      warnings: ['"args" is not used: it is for servers with a "command"'],
    });
  });

  test('numbers and truth values among texts are taken as they are written, and null as absent', () => {
    const text =
      '{"mcpServers": {"a": {"command": "b", "args": [8080, 1.50], "env": {"DEBUG": true, "NO": null}, "cwd": null}}}';
    expect(parse(text)).toEqual([
      { name: 'a', command: 'b', args: ['8080', '1.50'], env: { DEBUG: 'true' } },
    ]);
  });

  test('the folders that editors have names for', () => {
    const text = JSON.stringify({
      servers: { a: { command: '${workspaceFolder}/x', args: ['${userHome}'] } },
    });
    for (const file of ['work/mcp.json', 'work/.vscode/mcp.json'])
      expect(parseMcpConfig(text, file, {})).toMatchObject([
        { command: `${resolve('work')}/x`, args: [homedir()] },
      ]);
    expect(parseMcpConfig(text, 'work/mcp.json', { workspaceFolder: '/own' })).toMatchObject([
      { command: '/own/x' },
    ]);
  });
});

describe('files of other programs', () => {
  test.each([
    ['VS Code', { inputs: [], servers: { one: { command: 'a' } } }],
    ['VS Code settings', { 'editor.wordWrap': 'on', mcp: { servers: { one: { command: 'a' } } } }],
    ['Zed', { theme: 'x', context_servers: { one: { source: 'custom', command: 'a', enabled: true } } }],
    [
      'Zed of old',
      { context_servers: { one: { command: { path: 'a', args: [], env: null }, settings: {} } } },
    ],
    ['Claude Desktop', { globalShortcut: '', mcpServers: { one: { command: 'a', args: [] } }, servers: {} }],
  ])('%s', (_program, content) => {
    expect(parse(JSON.stringify(content))).toMatchObject([{ name: 'one', command: 'a', args: [], env: {} }]);
  });

  test.each([
    [
      'Windsurf',
      { serverUrl: 'https://a.b/mcp', disabledTools: ['x'] },
      { url: 'https://a.b/mcp', tools: { deny: ['x'] } },
    ],
    [
      'Gemini CLI',
      { httpUrl: 'https://a.b/mcp', trust: true, includeTools: ['x'], excludeTools: ['y'], timeout: 600000 },
      { url: 'https://a.b/mcp', trust: true, tools: { allow: ['x'], deny: ['y'] }, timeout: 600000 },
    ],
    ['Copilot CLI', { type: 'local', command: 'a', tools: ['*'] }, { command: 'a', tools: { allow: ['*'] } }],
    ['Cline', { command: 'a', timeout: 60, autoApprove: [] }, { timeout: 60_000 }],
    ['ours', { command: 'a', timeout: 60 }, { timeout: 60 }],
    ['Amazon Q', { command: 'a', timeout: 60000, autoApprove: [] }, { timeout: 60_000 }],
    ['opencode', { command: 'a', environment: { A: 'b' } }, { env: { A: 'b' } }],
  ])('keys of %s with our meaning', (_program, entry, expected) => {
    expect(one(entry)).toMatchObject(expected);
  });

  test.each([[{ enabled: false }], [{ isActive: false }], [{ disabled: true }]])(
    'switched off by %j',
    key => {
      expect(one({ command: '${NOT_SET}', ...key })).toMatchObject({ unusable: 'disabled' });
    },
  );

  test('keys without a meaning here are told, with what says the same', () => {
    const entry = { command: 'a', description: 'd', x_vendor: 1, autoApprove: ['read'], envFile: '.env' };
    expect(one(entry)).toEqual({
      name: 'one',
      command: 'a',
      args: [],
      env: {},
      warnings: [
        expect.stringMatching(/^"autoApprove" is not used: .*--approve 'TOOL=auto'/),
        expect.stringMatching(/^"envFile" is not used: /),
        'not used: "description", "x_vendor"',
      ],
    });
  });

  test('of two keys for one thing, ours counts', () => {
    const entry = { url: 'https://a.b/mcp', serverUrl: 'https://c.d/mcp' };
    expect(one(entry)).toMatchObject({
      url: 'https://a.b/mcp',
      warnings: ['"serverUrl" is not used, since there is "url" too'],
    });
  });
});

describe('what stops one server is told with the others, which run', () => {
  test('a variable that is not set, by its name, with its key and without any value', () => {
    const entry = { command: 'a', args: ['${TOKEN}'], env: { K: '${SECRET}${KEY}' } };
    expect(one(entry, { SECRET: 'hunter2' })).toEqual({
      name: 'one',
      unusable: 'failed',
      reason:
        'conf/mcp.json:1:44: the server "one" needs TOKEN (in args[0]), KEY (in env.K), which the environment does not have. ' +
        'Set it, or give a default: ${TOKEN:-…}',
    });
  });

  test('what only an editor can fill in', () => {
    expect(one({ url: 'https://a.b', headers: { Authorization: 'Bearer ${input:token}' } })).toMatchObject({
      reason: expect.stringMatching(
        /^conf\/mcp.json:1:\d+: the server "one" has \$\{input:token\} in headers.Authorization/,
      ),
    });
  });

  test.each([
    ['"b"', '1:22', 'the server "a" must be an object'],
    ['{}', '1:22', 'has neither a "command" nor a "url"'],
    ['{"command": "x", "url": "http://127.0.0.1:1/mcp"}', '1:22', 'has both a "command" and a "url"'],
    ['{"command": "b",\n "arg": []}', '2:9', 'unknown key "arg". Did you mean "args"?'],
    ['{"command": "b", "tools": {"dney": []}}', '1:57', 'unknown key "dney". Known are: allow, deny'],
    ['{"command": 1}', '1:34', '"command" of the server "a" must be a text'],
    ['{"command": "b", "args": "c"}', '1:47', 'must be a list of texts'],
    ['{"command": "b", "args": [{}]}', '1:47', 'must be a list of texts'],
    ['{"command": "b", "env": {"X": []}}', '1:52', '"env.X" of the server "a" must be a text'],
    ['{"command": "b", "env": {"X": "1", "X": "2"}}', '1:57', 'stands here twice'],
    ['{"command": "b", "approval": "always"}', '1:51', 'must be ask, auto, never'],
    ['{"command": "b", "timeout": "10s"}', '1:50', 'must be a number of milliseconds'],
    ['{"command": "b", "timeout": 0}', '1:50', 'must be a number of milliseconds'],
    ['{"command": "b", "trust": "yes"}', '1:48', '"trust" of the server "a" must be true or false'],
    ['{"command": "b", "roots": "."}', '1:48', '"roots" of the server "a" must be a list of texts'],
    ['{"command": "b", "tools": "x"}', '1:48', 'must be {"allow": […], "deny": […]}'],
    ['{"command": "b", "disabled": "no"}', '1:51', 'must be true or false'],
    [
      '{"type": "websocket", "url": "https://a.b"}',
      '1:31',
      'must be stdio, http (or streamable-http) or sse',
    ],
    ['{"type": "http", "command": "b"}', '1:31', 'is "http", which needs a "url"'],
    ['{"type": "stdio", "url": "https://a.b"}', '1:31', 'is "stdio", which needs a "command"'],
    ['{"url": "https://a.b", "auth": {"grant": "x"}}', '1:63', '"auth.grant" of the server "a" must be'],
    ['{"url": "https://a.b", "auth": {"scope": 1}}', '1:63', '"auth.scope" of the server "a" must be a text'],
    ['{"url": "https://a.b", "auth": {"callbackPort": 0}}', '1:70', 'must be a port'],
    ['{"url": "example.com"}', '1:30', 'the "url" of the server "a" is no address'],
    ['{"url": "ftp://a.b"}', '1:30', 'begins with ftp://'],
    ['{"url": "https://a.b", "headers": {"A b": "c"}}', '1:64', '"headers.A b" of the server "a" is no name'],
    ['{"url": "https://a.b", "headers": {"A": "b\\nc"}}', '1:62', 'has characters that no header can hold'],
  ])('%s', (entry, place, part) => {
    const [server, other] = parse(`{"mcpServers": {"a": ${entry}, "z": {"command": "y"}}}`);
    expect(server).toEqual({
      name: 'a',
      unusable: 'failed',
      reason: expect.stringMatching(new RegExp(`^conf/mcp.json:${place}: .*${escaped(part)}`)),
    });
    expect(other).toMatchObject({ command: 'y' });
  });

  test('a value that came from the environment is in no message', () => {
    const environment = { A: 'hunter2', B: 'hunter2\nhunter2' };
    for (const entry of [{ url: '${A}' }, { url: 'https://a.b', headers: { K: 'x${B}' } }]) {
      const server = one(entry, environment);
      expect(server).toMatchObject({ unusable: 'failed' });
      expect(JSON.stringify(server)).not.toContain('hunter2');
    }
  });

  test('who writes an entry is told of its mistake, and not of variables', () => {
    const text = JSON.stringify({ mcpServers: { good: { url: '${NOT_SET}' }, bad: { url: 'a.b' } } });
    expect(checkEntry(text, 'mcp.json', 'good')).toBeUndefined();
    expect(() => checkEntry(text, 'mcp.json', 'bad')).toThrowError(
      expect.objectContaining({ code: 'bad_mcp_config', message: expect.stringContaining('is no address') }),
    );
  });
});

describe('a file that is no config is an error with its place and a remedy', () => {
  test.each([
    ['', '1:1', 'Mend it there'],
    ['{"mcpServers": {\n  "a": {"command" "b"}\n}}', '2:19', 'colon expected'],
    ['[]', '1:1', 'Write {"mcpServers": {…}}'],
    ['{"servers": []}', '1:1', 'there is no "mcpServers"'],
    ['{"mcpServers": []}', '1:16', 'must be an object'],
    ['{"mcpServers": {}}', '1:16', 'Add one'],
    ['{"mcpServers": {"a": {"command": "b"}, "a": {"command": "c"}}}', '1:40', 'stands here twice'],
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
