/** `rawcall mcp add`, `remove` and `import`: what they write, and what they leave alone. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rawcall, temporaryFolder } from '../rawcall.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

const read = (folder: string, name = 'rawcall.json') => readFileSync(path.join(folder, name), 'utf8');

const config = `{
  // the small one
  "temperature": 0,
  "mcpServers": {
    // sums
    "calc": { "command": "rawcall", "args": ["mcp-server", "calc"] }, // mine
    "old": { "command": "x" }
  }
}
`;

test('a server is added to the config file, used, and taken out; comments and layout stay', async () => {
  const cwd = folderWith({ 'rawcall.json': config });
  const added = await rawcall(
    ['mcp', 'add', 'sums', '--env', 'A=b=c', '--', 'rawcall', 'mcp-server', 'calc'],
    { cwd },
  );
  expect(added).toMatchObject({ code: 0, stdout: `Added sums in ${path.join(cwd, 'rawcall.json')}\n` });
  const written = `,\n    "sums": {
      "command": "rawcall",
      "args": [
        "mcp-server",
        "calc"
      ],
      "env": {
        "A": "b=c"
      }
    }`;
  expect(read(cwd)).toBe(config.replace('"old": { "command": "x" }', match => match + written));

  const tested = await rawcall(['mcp', 'test', 'sums', '--json'], { cwd });
  expect(tested).toMatchObject({ code: 0 });
  expect(tested.json()).toMatchObject([
    { name: 'sums', state: 'ready', tools: expect.arrayContaining(['add']) },
  ]);

  expect(await rawcall(['mcp', 'remove', 'sums'], { cwd })).toMatchObject({ code: 0 });
  expect(read(cwd)).toBe(config);
});

test('nothing is replaced unasked, and nothing is written that rawcall would not read', async () => {
  const cwd = folderWith({ 'rawcall.json': config });
  const twice = await rawcall(['mcp', 'add', 'old', '--', 'y'], { cwd });
  expect(twice).toMatchObject({ code: 2, stdout: '' });
  expect(twice.stderr).toContain(`${path.join(cwd, 'rawcall.json')} has a server "old" already`);
  const bad = await rawcall(['mcp', 'add', 'web', '--url', 'ftp://x.example'], { cwd });
  expect(bad).toMatchObject({ code: 2, stdout: '' });
  expect(bad.stderr).toMatch(/"url" of the server "web"/);
  for (const args of [
    ['a'],
    ['a', '--url', 'http://x', '--', 'y'],
    ['a', '--env', 'A', '--', 'y'],
    ['a', '--header', 'A=b', '--', 'y'],
  ])
    expect(await rawcall(['mcp', 'add', ...args], { cwd })).toMatchObject({ code: 2, stdout: '' });
  const gone = await rawcall(['mcp', 'remove', 'clac'], { cwd });
  expect(gone).toMatchObject({ code: 2 });
  expect(gone.stderr).toContain('Did you mean "calc"?');
  expect(read(cwd)).toBe(config);

  expect(await rawcall(['mcp', 'add', 'old', '--force', '--', 'y'], { cwd })).toMatchObject({ code: 0 });
  expect(read(cwd)).toContain('"command": "y"');
});

test('without a config file one is made; without servers it says nothing of them', async () => {
  const cwd = temporaryFolder();
  const header = ['--header', 'Authorization=Bearer hunter2'];
  const added = await rawcall(['mcp', 'add', 'web', '--url', 'http://127.0.0.1:9/mcp', ...header], { cwd });
  expect(added.code).toBe(0);
  expect(JSON.parse(read(cwd))).toEqual({
    mcpServers: { web: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer hunter2' } } },
  });
  // What is secret is said to be there, and not said again.
  expect(added.stderr).toMatch(/Authorization of "web" can be read in .*rawcall\.json/);
  expect(added.stderr).not.toContain('hunter2');
  await rawcall(['mcp', 'remove', 'web'], { cwd });
  expect(JSON.parse(read(cwd))).toEqual({});
  expect(await rawcall(['mcp', 'list'], { cwd })).toMatchObject({ code: 0, stdout: 'No servers.\n' });
});

test('--mcp-config: that file is changed, through a link and with its rights', async () => {
  const cwd = folderWith({ 'real.json': '{"mcpServers": {}}' });
  chmodSync(path.join(cwd, 'real.json'), 0o600);
  symlinkSync('real.json', path.join(cwd, 'link.json'));
  const add = ['mcp', 'add', 'a', '--mcp-config', 'link.json', '--', 'x'];
  expect(await rawcall(add, { cwd })).toMatchObject({ code: 0 });
  expect(JSON.parse(read(cwd, 'real.json'))).toEqual({ mcpServers: { a: { command: 'x' } } });
  expect(statSync(path.join(cwd, 'real.json')).mode & 0o777).toBe(0o600);
  expect(existsSync(path.join(cwd, 'rawcall.json'))).toBe(false);
});

test("a broken file and another program's own are told and left as they are", async () => {
  const files = { 'broken.json': '{"mcpServers": {', 'vscode.json': '{"servers": {"a": {"command": "x"}}}' };
  const cwd = folderWith(files);
  for (const [name, content] of Object.entries(files)) {
    const { code, stderr } = await rawcall(['mcp', 'add', 'b', '--mcp-config', name, '--', 'y'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(path.join(cwd, name));
    expect(read(cwd, name)).toBe(content);
  }
});

const cursor = JSON.stringify({
  mcpServers: {
    github: { command: 'npx', args: ['-y', 'gh'], env: { GITHUB_TOKEN: 'hunter2', MODE: 'x' } },
    web: { url: 'https://x.example/mcp?key=hunter2' },
    odd: { settings: {} },
  },
});
const vscode =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is VS Code's
  '{ // servers\n "servers": {"fs": {"type": "stdio", "command": "npx", "args": ["${workspaceFolder}"]}}}';

function apps() {
  const cwd = folderWith({
    'home/.cursor/mcp.json': cursor,
    '.vscode/mcp.json': vscode,
    'home/.claude.json': '{"mcpServers": {"user": {"command": "u"}}}',
  });
  const home = path.join(cwd, 'home');
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  return { cwd, env };
}

test('import lists what apps have, and copies nothing unasked', async () => {
  const { cwd, env } = apps();
  const { code, stdout } = await rawcall(['mcp', 'import'], { cwd, env });
  expect(code).toBe(0);
  expect(stdout).not.toContain('hunter2');
  expect(stdout).toMatch(/^cursor +github +npx .*mcp\.json$/m);
  expect(stdout).toMatch(/^cursor +web +https:\/\/x\.example\/mcp /m);
  expect(stdout).toMatch(/^cursor +odd .*neither a command nor a URL$/m);
  expect(existsSync(path.join(cwd, 'rawcall.json'))).toBe(false);

  const { json } = await rawcall(['mcp', 'import', 'vscode', '--json'], { cwd, env });
  expect(json()).toMatchObject([{ app: 'vscode', server: 'fs', reached: 'npx', state: 'new', notes: [] }]);
});

test('import copies what is chosen, tells of secrets, and leaves the files of others alone', async () => {
  const { cwd, env } = apps();
  const one = await rawcall(['mcp', 'import', 'cursor', 'github'], { cwd, env });
  expect(one).toMatchObject({ code: 0, stdout: `Copied: github in ${path.join(cwd, 'rawcall.json')}\n` });
  expect(one.stderr).toContain('GITHUB_TOKEN of "github" can be read in');
  expect(one.stderr).not.toContain('hunter2');
  expect(one.stderr).not.toContain('MODE');

  const all = await rawcall(['mcp', 'import', 'cursor', '--all'], { cwd, env });
  // One of them is none that rawcall could reach.
  expect(all.code).toBe(1);
  expect(all.stdout).toMatch(/^Already there: github .*\nCopied: web /);
  expect(await rawcall(['mcp', 'import', '.vscode/mcp.json', 'fs'], { cwd, env })).toMatchObject({ code: 0 });
  expect(JSON.parse(read(cwd)).mcpServers).toEqual({
    github: JSON.parse(cursor).mcpServers.github,
    web: { url: 'https://x.example/mcp?key=hunter2' },
    fs: { type: 'stdio', command: 'npx', args: [cwd] },
  });
  expect(read(cwd, 'home/.cursor/mcp.json')).toBe(cursor);
  expect(read(cwd, '.vscode/mcp.json')).toBe(vscode);
});

test('import replaces another server of the same name only with --force', async () => {
  const { cwd, env } = apps();
  writeFileSync(path.join(cwd, 'rawcall.json'), '{"mcpServers": {"web": {"command": "mine"}}}');
  const refused = await rawcall(['mcp', 'import', 'cursor', 'web'], { cwd, env });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('has another server of that name');
  expect(JSON.parse(read(cwd)).mcpServers.web).toEqual({ command: 'mine' });
  expect(await rawcall(['mcp', 'import', 'cursor', 'web', '--force'], { cwd, env })).toMatchObject({
    code: 0,
  });
  expect(JSON.parse(read(cwd)).mcpServers.web).toEqual({ url: 'https://x.example/mcp?key=hunter2' });
});

test('import: an app that nobody knows, and a server that it does not have', async () => {
  const { cwd, env } = apps();
  const app = await rawcall(['mcp', 'import', 'curser'], { cwd, env });
  expect(app.code).toBe(1);
  expect(app.stderr).toMatch(/curser is neither a file nor an app .*cursor/);
  const server = await rawcall(['mcp', 'import', 'cursor', 'githup'], { cwd, env });
  expect(server.code).toBe(2);
  expect(server.stderr).toContain('Did you mean "github"?');
});
