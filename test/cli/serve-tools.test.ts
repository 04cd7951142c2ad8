/** `rawcall serve` with MCP servers, as people start it. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { rawcall, temporaryFolder } from './rawcall.ts';
import { serving } from './serving.ts';

const calc = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server calc'];
const question = { messages: [{ role: 'user', content: 'What is 31 plus 11?' }] };

test('clients get the calls of MCP tools, and with --run-tools the answer', async () => {
  const offered = await serving(calc);
  const asked = await offered.ask(question);
  expect(asked.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { tool_calls: [{ function: { name: 'add', arguments: expect.stringContaining('31') } }] },
  });
  offered.child.kill('SIGKILL');

  const running = await serving([...calc, '--run-tools']);
  const { choices, x_rawcall: own } = await running.ask(question);
  expect(choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: expect.stringContaining('42') },
  });
  expect(own).toMatchObject({ calls: [{ name: 'add', result: '42' }], run: { tool_runs: 1 } });
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
});

test('what needs approval is named at the start, and refused', async () => {
  const server = await serving([...calc, '--run-tools', '--approve', 'add=ask']);
  const { x_rawcall: own } = await server.ask(question);
  expect(own).toMatchObject({ calls: [{ name: 'add', source: 'rejection' }], run: { unasked: 1 } });
  server.child.kill('SIGINT');
  expect((await server.ended).stderr).toMatch(/Nobody is there to ask.*refused: add \(see --approve\)/);
});

/** A server whose child ends neither with its stdin nor with SIGTERM; the number of its process group is in the file. */
function stubborn(): { readonly config: string; readonly group: () => number } {
  const folder = temporaryFolder();
  const grandchild = path.join(import.meta.dirname, '..', 'mcp', 'fixtures', 'grandchild.mjs');
  const script = `echo $$ > '${folder}/pid'; exec '${process.execPath}' '${grandchild}'`;
  const config = path.join(folder, 'mcp.json');
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { stubborn: { command: 'sh', args: ['-c', script] } } }),
  );
  return { config, group: () => Number(readFileSync(path.join(folder, 'pid'), 'utf8')) };
}

function isThere(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends what MCP servers started, too', async signal => {
  const { config, group } = stubborn();
  const server = await serving(['--mcp-config', config]);
  expect(isThere(group())).toBe(true);
  server.child.kill(signal);
  await server.ended;
  await vi.waitFor(() => expect(isThere(group())).toBe(false), { timeout: 20_000 });
});

test('a model that is not there ends them as well', async () => {
  const { config, group } = stubborn();
  const { code, stderr } = await rawcall([
    'serve',
    '--port',
    '0',
    '--mcp-config',
    config,
    '--model',
    'nowhere.gguf',
  ]);
  expect(stderr).toContain('nowhere.gguf');
  expect(code).toBe(1);
  await vi.waitFor(() => expect(isThere(group())).toBe(false), { timeout: 20_000 });
});

test.each([
  [['--run-tools'], /--run-tools runs the tools of MCP servers: give --mcp-config or --mcp-command/],
  [['--mcp-args', 'x'], /give --mcp-command too/],
  [[...calc, '--approve', 'perhaps'], /"perhaps" is no approval rule/],
  [[...calc, '--root', '/nowhere-at-all'], /There is no folder "\/nowhere-at-all"/],
])('%j is refused before anything starts', async (args, message) => {
  const { stderr, stdout, code } = await rawcall(['serve', '--port', '0', ...args]);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('Loading the model');
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
});

/** Its prompts open the thought, so that all that the practice model writes is one. */
const thinking = ['--enforce-parser', 'qwen3.5'];
const hello = { messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 20 };

test.each<[string, readonly string[], boolean]>([
  ['1', [], true],
  ['0', [], false],
  ['No', [], false],
  ['false', ['--reasoning-content'], true],
])(
  'RAWCALL_REASONING_CONTENT=%s %j: thoughts are given out: %s, and otherwise where a request says so',
  async (value, flags, given) => {
    const { ask } = await serving([...thinking, ...flags], { RAWCALL_REASONING_CONTENT: value });
    const [usual] = (await ask(hello)).choices;
    expect('reasoning_content' in usual.message).toBe(given);
    const [other] = (await ask({ ...hello, include_reasoning: !given })).choices;
    expect('reasoning_content' in other.message).toBe(!given);
  },
);
