/** Who may run, through the command line with real servers: questions over a pipe, and runs that can ask nobody. */
import { spawn } from 'node:child_process';
import { openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { builtCli } from '../../scripts/build-if-needed.mjs';
import { flagQuestion, rawcall, temporaryFolder } from './rawcall.ts';

const materials = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server materials'];
const calc = { command: 'rawcall', args: ['mcp-server', 'calc'] };

function configOf(entry: object): string[] {
  const file = path.join(temporaryFolder(), 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { sums: { ...calc, ...entry } } }));
  return ['--mcp-config', file];
}

const sources = (events: { type: string; source?: string }[]) =>
  events.flatMap(event => (event.type === 'tool-end' ? [event.source] : []));

test('"always" over a pipe holds for later questions of a chat; the question shows server and exact arguments', async () => {
  const stdin = `${flagQuestion}\na\n${flagQuestion.replace('1003', '1004')}\n`;
  const { stderr, json } = await rawcall(['chat', ...materials, '--json', '--format', 'hermes'], { stdin });
  const events = json();
  const asked = events.filter(({ type }) => type === 'approval-start');
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    server: 'materials',
    tool: 'flag_material',
    call: { name: 'flag_material' },
  });
  expect(stderr).toMatch(/Allow materials\/flag_material\(id="M-1003", reason="[^"]*"\)\? \[y \/ a = always/);
  const answers = events.filter(({ type }) => type === 'approval-end');
  expect(answers.length).toBeGreaterThan(1);
  for (const answer of answers) expect(answer).toMatchObject({ allowed: true, always: true });
});

test('where nobody can be asked, that is told before, in the result that the model reads, and at the end', async () => {
  const { code, stderr, json } = await rawcall(['run', ...materials, '--json', '--format', 'hermes'], {
    stdin: `${flagQuestion}\n`,
  });
  expect(code).not.toBe(1);
  expect(stderr).toMatch(
    /came by stdin, so calls that ask for approval are refused: flag_material \(see --approve\)/,
  );
  const events = json();
  expect(events.find(({ type }) => type === 'approval-end')).toMatchObject({ allowed: false, unasked: true });
  expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({
    source: 'rejection',
    result: {
      isError: true,
      content: expect.stringMatching(/^This call was not allowed: it needs approval, and there is nobody/),
    },
  });
  expect(events.at(-1)).toMatchObject({ type: 'run-end', toolRuns: 0, unasked: expect.any(Number) });
  expect(events.at(-1).unasked).toBeGreaterThan(0);
});

test('the null device as stdin is nobody, too', async () => {
  const child = spawn(process.execPath, [builtCli, 'run', flagQuestion, ...materials], {
    stdio: [openSync('/dev/null', 'r'), 'ignore', 'pipe'],
    env: { ...process.env, RAWCALL_CACHE: temporaryFolder() },
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  await new Promise(resolve => child.on('close', resolve));
  expect(stderr).toMatch(
    /There is no stdin to answer on, so calls that ask for approval are refused: flag_material/,
  );
});

test.each([
  ['a trusted server: its read-only tools run', {}, [], 'tool'],
  ['one that is not trusted: its word spares nothing', { trust: false }, [], 'rejection'],
  ['auto of its entry', { trust: false, approval: 'auto' }, [], 'tool'],
  ['a pattern over the server and its own name', { trust: false }, ['--approve', 'sums/add=auto'], 'tool'],
  ['never of its entry, over the general mode', { approval: 'never' }, ['--approve', 'auto'], 'rejection'],
])('%s', async (_what, entry, flags, source) => {
  const args = ['run', '--json', '--format', 'hermes', ...configOf(entry), ...flags];
  const { json } = await rawcall(args, { stdin: 'What is 31 plus 11?\n' });
  expect(sources(json())[0]).toBe(source);
});
