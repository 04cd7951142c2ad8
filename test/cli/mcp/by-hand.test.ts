/** Servers used from the shell, without a model: server-everything and the built-in ones. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { outcome, rawcall, start, temporaryFolder } from '../rawcall.ts';
import { asConfig, everythingScript } from './servers.ts';

/** A folder with a config of three servers, one of which fails. */
function configured(): { readonly cwd: string } {
  const cwd = temporaryFolder();
  writeFileSync(path.join(cwd, 'roses.md'), 'Prune in March.');
  const servers = asConfig({
    every: [process.execPath, everythingScript()],
    vault: ['rawcall', 'mcp-server', 'vault', cwd],
    gone: ['no-such-program-anywhere'],
  });
  writeFileSync(path.join(cwd, 'rawcall.json'), servers);
  return { cwd };
}

const mcp = (args: readonly string[], options: { readonly cwd: string }) =>
  rawcall(['mcp', ...args], options);

describe('how servers fare', () => {
  test('list: each with its state; a failed one with the reason', async () => {
    const { code, json } = await mcp(['list', '--json'], configured());
    expect(code).toBe(0);
    expect(json()).toEqual([
      { name: 'every', state: 'ready', transport: 'stdio', tools: expect.any(Number) },
      { name: 'vault', state: 'ready', transport: 'stdio', tools: 3 },
      {
        name: 'gone',
        state: 'failed',
        transport: 'stdio',
        tools: 0,
        reason: expect.stringContaining('no-such-program-anywhere'),
      },
    ]);
  });

  test('list takes the flags too, and tells two servers of one name apart', async () => {
    const vault = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server vault .'];
    const { stdout } = await mcp(['list', ...vault], configured());
    expect(stdout).toMatch(/^server +state +transport +tools +reason\n/);
    expect(stdout).toMatch(/^vault_2 +ready +stdio +3$/m);
  });

  test('test: what the server says of itself; 1 where it does not start', async () => {
    const folder = configured();
    const { code, stdout } = await mcp(['test', 'every'], folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^version +mcp-servers\/everything \S+$/m);
    expect(stdout).toMatch(/^protocol +2025-11-25$/m);
    expect(stdout).toMatch(/^offers +.*completions.*prompts.*resources/m);
    expect(stdout).toMatch(/^tools +\d+: .*get-sum/m);
    expect(stdout).toMatch(/^time +\d+ ms$/m);
    const failed = await mcp(['test', 'gone'], folder);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stdout).toMatch(/^state +failed: .*no-such-program-anywhere/m);
    const unknown = await mcp(['test', 'evry'], folder);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('Did you mean "every"?');
  });
});

describe('resources', () => {
  test('of all servers, templates too; the one that failed is told and stops nobody', async () => {
    const { code, json, stderr } = await mcp(['resources', '--json'], configured());
    expect(code).toBe(0);
    expect(stderr).toContain('MCP server gone:');
    const listed = json();
    expect(listed.filter(({ server, uri }) => server === 'every' && uri)).toHaveLength(7);
    expect(listed.filter(({ server, uriTemplate }) => server === 'every' && uriTemplate)).toHaveLength(2);
    expect(listed).toContainEqual({
      server: 'vault',
      uri: 'note:///roses.md',
      name: 'roses.md',
      mimeType: 'text/markdown',
    });
  });

  test('read: a text as it is, bytes to a pipe and into a file', async () => {
    const folder = configured();
    const vault = await mcp(['read', 'vault', 'note:///roses.md'], folder);
    expect(vault).toMatchObject({ code: 0, stdout: 'Prune in March.', stderr: '' });
    const blob = 'demo://resource/dynamic/blob/3';
    const piped = await mcp(['read', 'every', blob], folder);
    expect(piped.stdout).toMatch(/^Resource 3: This is a base64 blob/);
    const file = path.join(folder.cwd, 'blob.bin');
    expect(await mcp(['read', 'every', blob, '--output', file], folder)).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(readFileSync(file, 'utf8')).toMatch(/^Resource 3: This is a base64 blob/);
    const { json } = await mcp(['read', 'every', blob, '--json'], folder);
    expect(Buffer.from(json()[0].blob, 'base64').toString()).toMatch(/^Resource 3/);
  });

  test('read: what a server does not have is its refusal, and 1', async () => {
    const { code, stdout, stderr } = await mcp(['read', 'every', 'demo://nothing'], configured());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^rawcall: The server "every" .*demo:\/\/nothing/);
  });
});

describe('prompts', () => {
  test('are listed with what they need', async () => {
    const { stdout } = await mcp(['prompts', 'every'], configured());
    expect(stdout).toMatch(/^every +args-prompt +city \[state\] /m);
    expect(stdout.trimEnd().split('\n')).toHaveLength(5);
  });

  test('give their messages, which render reads too', async () => {
    const folder = configured();
    const told = await mcp(['prompt', 'every', 'args-prompt', 'city=Oslo', 'state=a=b'], folder);
    expect(told).toMatchObject({ code: 0, stdout: "user: What's weather in Oslo, a=b?\n" });
    const { stdout } = await mcp(['prompt', 'every', 'simple-prompt', '--json'], folder);
    const rendered = await rawcall(['render', '-', '--format', 'qwen', '--raw'], { stdin: stdout });
    expect(rendered.stdout).toContain('<|im_start|>user\nThis is a simple prompt');
  });

  test('need what they need', async () => {
    const { code, stdout, stderr } = await mcp(['prompt', 'every', 'args-prompt', 'state=x'], configured());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('The prompt "args-prompt" needs city=…');
  });
});

describe('a call', () => {
  test("its values are what the tool's schema asks for, given one by one or as JSON", async () => {
    const folder = configured();
    const sum = { code: 0, stdout: 'The sum of 3 and 4.5 is 7.5.\n' };
    expect(await mcp(['call', 'every', 'get-sum', 'a=3', 'b=4.5'], folder)).toMatchObject(sum);
    expect(await mcp(['call', 'every', 'get-sum', '{"a": "3", "b": 4.5}'], folder)).toMatchObject(sum);
    // The same letters where a text is wanted.
    expect(await mcp(['call', 'every', 'echo', 'message=3'], folder)).toMatchObject({ stdout: 'Echo: 3\n' });
    const { json } = await mcp(['call', 'every', 'get-tiny-image', '--json'], folder);
    expect(json()).toMatchObject([{ isError: false, attachments: [{ mimeType: 'image/png' }] }]);
  });

  test('is not made with arguments that do not fit, or of a tool that is not there', async () => {
    const folder = configured();
    const wrong = await mcp(['call', 'every', 'get-sum', 'a=x', 'b=1'], folder);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('The arguments do not fit get-sum: a must be a number.');
    const unknown = await mcp(['call', 'every', 'get-som'], folder);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('Did you mean "get-sum"?');
  });

  test("a tool's failure is its text, and 1", async () => {
    const { code, stdout } = await mcp(['call', 'vault', 'get_note', 'uri=no.md'], configured());
    expect(code).toBe(1);
    expect(stdout).toContain('no.md');
  });

  test('is cancelled by an interrupt, and the server ends', async () => {
    const marker = path.join(temporaryFolder(), 'called');
    const fixture = path.join(import.meta.dirname, '../../mcp/fixtures/features.mjs');
    const child = start([
      'mcp',
      'call',
      'features',
      'wait',
      '--mcp-command',
      'node',
      '--mcp-args',
      `${fixture} ${marker}`,
    ]);
    const ended = outcome(child);
    await vi.waitUntil(() => existsSync(marker), { timeout: 120_000 });
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stdout: '' });
    expect(existsSync(`${marker}.cancelled`)).toBe(true);
  });
});
