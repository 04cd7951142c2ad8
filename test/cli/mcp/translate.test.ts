/** Other apps' entries as ours. */
import { expect, test } from 'vitest';
import { type Source, translate } from '../../../src/cli/mcp/translate.ts';

const source: Source = { app: 'vscode', home: '/home/ann', workspace: '/work/p', inputs: new Map() };
const from = (entry: object, more: Partial<Source> = {}) => translate(entry, { ...source, ...more });

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are the apps' own
test('a plain entry is taken as it is', () => {
  const entry = { command: 'npx', args: ['-y', 'x', '${HOME}/a', '${env:B}', '${C:-d e}'], env: { A: '1' } };
  expect(from(entry)).toEqual({ entry, notes: [] });
  expect(from({ url: 'https://x.example/mcp', headers: { a: 'b' } }).entry).toEqual({
    url: 'https://x.example/mcp',
    headers: { a: 'b' },
  });
});

test("VS Code's inputs become variables of the environment, told with what they are", () => {
  const inputs = new Map([
    ['api-key', { type: 'promptString', description: 'The key', password: true }],
    ['region', { type: 'pickString', default: 'eu' }],
  ]);
  expect(from({ command: 'x', env: { K: '${input:api-key}', R: '${input:region}' } }, { inputs })).toEqual({
    entry: { command: 'x', env: { K: '${API_KEY}', R: '${REGION:-eu}' } },
    notes: ['set API_KEY in the environment (The key), which vscode asks for'],
  });
});

test('the folders that an editor knows are written out; what nobody knows is told', () => {
  const { entry, notes } = from({
    command: '${workspaceFolder}/x',
    args: ['${userHome}', '${workspaceFolderBasename}', '${file}', '${command:pick}'],
    cwd: 'sub',
  });
  expect(entry).toEqual({
    command: '/work/p/x',
    args: ['/home/ann', 'p', '${file}', '${command:pick}'],
    cwd: '/work/p/sub',
  });
  expect(notes).toEqual(['${command:pick} in its args means nothing to rawcall; write what it stands for']);
});

test('a file of the user has no workspace', () => {
  const { workspace: _none, ...user } = source;
  expect(translate({ command: '${workspaceFolder}/x' }, user).notes).toEqual([
    '${workspaceFolder} in its command means nothing to rawcall; write what it stands for',
  ]);
});

test('other names for the same are read; consent is not taken over', () => {
  expect(
    from({ serverUrl: 'https://x.example', disabledTools: ['a'], alwaysAllow: ['b'], timeout: 30 }),
  ).toEqual({
    entry: { url: 'https://x.example', tools: { deny: ['a'] }, timeout: 30_000 },
    notes: ['"alwaysAllow" is left out: whom rawcall trusts is said anew'],
  });
  const gemini = { httpUrl: 'https://x.example', trust: true, timeout: 600_000, includeTools: ['a'] };
  expect(from({ ...gemini, headers: { K: '$KEY and ${OTHER}' } }, { app: 'gemini' })).toEqual({
    entry: {
      url: 'https://x.example',
      timeout: 600_000,
      tools: { allow: ['a'] },
      headers: { K: '${KEY} and ${OTHER}' },
    },
    notes: ['"trust" is left out: whom rawcall trusts is said anew'],
  });
  expect(from({ source: 'custom', enabled: false, command: { path: 'x', args: ['y'] } })).toEqual({
    entry: { command: 'x', args: ['y'], disabled: true },
    notes: [],
  });
});

test('an entry with no way to the server is none', () => {
  expect(from({ settings: {}, odd: 1 })).toEqual({
    notes: ['"odd" is left out: rawcall has no such key', 'it has neither a command nor a URL'],
  });
  expect(translate('npx', source).entry).toBeUndefined();
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: they are the apps' own
