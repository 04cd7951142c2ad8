/** `rawcall run` on the practice model and real servers. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { flagQuestion, outcome, rawcall, start, temporaryFolder } from './rawcall.ts';

const calc = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server calc'];
const materials = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server materials'];
const sum = 'What is 31 plus 11?';

test.each(['llama3', 'hermes', 'qwen'])(
  'a question, a call, its result and an answer in %s',
  async format => {
    const { code, stdout, stderr } = await rawcall([
      'run',
      sum,
      ...calc,
      '--format',
      format,
      '--show',
      'calls',
    ]);
    expect(stderr).toMatch(/^→ add\(a=31, b=11\)\n← 42\n$/);
    expect(stdout).toMatch(/\b42\b.*\n$/);
    expect(code).toBe(0);
  },
);

test('the format is found in the model, and without --show the answer stands alone', async () => {
  const { code, stdout, stderr } = await rawcall(['run', sum, ...calc]);
  expect(stdout).toMatch(/\S.*\n$/);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('--json prints events alone, and each turn ends with its usage', async () => {
  const { code, stderr, json } = await rawcall(['run', sum, ...calc, '--json']);
  const events = json();
  const types = events.map(({ type }) => type);
  expect(types[0]).toBe('run-start');
  expect(types.at(-1)).toBe('run-end');
  const turns = types.filter(type => type === 'turn-start').length;
  expect(turns).toBeGreaterThan(1);
  expect(types.filter(type => type === 'usage')).toHaveLength(turns);
  for (const { prompt, reused, evaluated, generated } of events.filter(({ type }) => type === 'usage')) {
    expect(reused + evaluated).toBe(prompt);
    expect(generated).toBeGreaterThan(0);
  }
  const call = events.find(({ type }) => type === 'call-end').call;
  expect(call).toMatchObject({ name: 'add', arguments: { a: expect.any(Number) } });
  expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({
    result: { isError: false },
  });
  expect(events.at(-1)).toMatchObject({ reason: 'answered', toolRuns: 1 });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('prompt and usage are shown on stderr', async () => {
  const show = ['--show', 'prompt,usage', '--no-cache'];
  const { stderr } = await rawcall(['run', sum, ...calc, '--format', 'hermes', ...show]);
  expect(stderr).toContain('⟦<|im_start|>⟧user\nWhat is 31 plus 11?⟦<|im_end|>⟧');
  expect(stderr).toMatch(/\d+ prompt tokens \(0 reused, \d+ evaluated\), \d+ generated/);
});

test('the policy is told with its reason where it was left to the model’s size', async () => {
  const auto = await rawcall(['run', sum, ...calc, '--show', 'usage']);
  expect(auto.stderr).toMatch(/^--answer-turn with-schema, --rounds until-done: .*2\.4 million parameters/);
  const chosen = ['--answer-turn', 'question-and-data', '--rounds', 'once', '--json'];
  const { json } = await rawcall(['run', sum, ...calc, ...chosen]);
  const events = json();
  expect(events[0].policy).toEqual({ answerTurn: 'question-and-data', rounds: 'once' });
  expect(events.filter(({ type }) => type === 'turn-start').map(({ purpose }) => purpose)).toEqual([
    'decision',
    'answer',
  ]);
});

test('--schema-form: decisions see the tools so', async () => {
  const { stderr } = await rawcall(['run', sum, ...calc, '--schema-form', 'signature', '--show', 'prompt']);
  expect(stderr).toMatch(/^add\(\{/m);
  expect(stderr).not.toContain('"parameters"');
});

test('a question on stdin; nobody can then be asked, and that is told', async () => {
  const { code, stdout, stderr } = await rawcall(['run', ...materials], {
    stdin: 'Hello!\n',
  });
  expect(stderr).toMatch(/question came by stdin, so calls that ask for approval are refused/);
  expect(stdout).not.toBe('');
  expect(code).toBe(0);
});

test('servers that fail are told and do not stop the others', async () => {
  const config = path.join(temporaryFolder(), 'servers.json');
  writeFileSync(
    config,
    JSON.stringify({
      mcpServers: {
        gone: { command: 'no-such-command-anywhere' },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the config's own syntax.
        unset: { command: 'x', args: ['${RAWCALL_TEST_UNSET}'] },
        calc: { command: 'rawcall', args: ['mcp-server', 'calc'] },
      },
    }),
  );
  const shown = await rawcall(['run', sum, '--mcp-config', config]);
  expect(shown.stderr).toMatch(/MCP server gone: .*no-such-command-anywhere/);
  expect(shown.stderr).toMatch(/MCP server unset: .*RAWCALL_TEST_UNSET/);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/\S/) });
  const told = await rawcall(['run', sum, '--mcp-config', config, '--json']);
  const failed = told.json().filter(({ type }) => type === 'server-failed');
  expect(failed.map(({ server }) => server).sort()).toEqual(['gone', 'unset']);
});

test('servers and settings of the config file, paths from its folder', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'dialogue.json'), '[{"role": "user", "content": "Hi"}]');
  writeFileSync(
    path.join(folder, 'rawcall.json'),
    JSON.stringify({
      show: ['calls'],
      mcpServers: { calc: { command: 'rawcall', args: ['mcp-server', 'calc'] } },
    }),
  );
  const run = await rawcall(['run', sum], { cwd: folder });
  expect(run.stderr).toContain('→ add');
  writeFileSync(path.join(folder, 'rawcall.json'), '{"model": "models/none.gguf"}');
  const missing = await rawcall(['run', 'Hi'], { cwd: folder });
  expect(missing.stderr).toContain(path.join(folder, 'models', 'none.gguf'));
  expect(missing.code).toBe(1);
});

test('a model that is not there is told, with what to run next, and code 1', async () => {
  const { code, stdout, stderr } = await rawcall(['run', 'Hi', '--model', 'nowhere.gguf', ...calc]);
  expect(stderr).toMatch(/^rawcall: .*nowhere\.gguf.*\nNext: rawcall models list.*\n$/);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
});

test('a limit that stops the run is code 3', async () => {
  const rounds = await rawcall(['run', sum, ...calc, '--max-tokens', '3']);
  expect(rounds.code).toBe(3);
  expect(rounds.stdout).not.toBe('');
});

test.each([
  ['y\n', true, undefined],
  ['n\n', false, undefined],
  ['n because it was weighed today\n', false, 'because it was weighed today'],
  ['', false, 'it needs approval, and the input ended before an answer came'],
])('approval is answered on stdin: %j', async (stdin, allowed, reason) => {
  const { stderr, json } = await rawcall(['run', flagQuestion, ...materials, '--approve', 'ask', '--json'], {
    stdin,
  });
  const events = json();
  const asked = events.findIndex(({ type }) => type === 'approval-start');
  expect(asked).toBeGreaterThan(0);
  expect(events[asked].call.name).toBe('flag_material');
  expect(events[asked + 1]).toMatchObject({ type: 'approval-end', allowed, ...(reason ? { reason } : {}) });
  const { result, source } = events.find(({ type }) => type === 'tool-end');
  expect(source).toBe(allowed ? 'tool' : 'rejection');
  // What the user said is what the model reads.
  if (reason) expect(result.content).toContain(reason);
  expect(stderr).toContain('Allow materials/flag_material(');
});

test('approval rules need nobody', async () => {
  const never = await rawcall(['run', flagQuestion, ...materials, '--approve', 'flag_*=never']);
  expect(never.stderr).toContain('flag_material was not allowed: this tool is not allowed to run');
  const auto = await rawcall(['run', flagQuestion, ...materials, '--approve', 'auto', '--show', 'calls']);
  expect(auto.stderr).toContain('→ flag_material');
  expect(auto.stderr).not.toContain('Allow');
});

test('an interrupt ends it with 130 and leaves no server behind', async () => {
  const folder = temporaryFolder();
  const config = path.join(folder, 'servers.json');
  const pidFile = path.join(folder, 'pid');
  const server = path.join(folder, 'silent.mjs');
  writeFileSync(
    server,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000);`,
  );
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { silent: { command: process.execPath, args: [server] } } }),
  );
  const child = start(['run', sum, '--mcp-config', config]);
  const done = outcome(child);
  await expect.poll(() => existsSync(pidFile), { timeout: 20_000 }).toBe(true);
  child.kill('SIGINT');
  expect((await done).code).toBe(130);
  const pid = Number(readFileSync(pidFile, 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow();
});

test('an interrupt during a turn ends it with 130', async () => {
  const child = start(['run', sum, ...calc, '--json']);
  const done = outcome(child);
  await new Promise(resolve => child.stdout.once('data', resolve));
  child.kill('SIGINT');
  const { code, json } = await done;
  expect(code).toBe(130);
  expect(json().at(-1)).toMatchObject({ type: 'run-end', reason: 'aborted' });
});

test('a reader that goes away ends it quietly', async () => {
  const child = start(['run', sum, ...calc, '--json']);
  const done = outcome(child);
  child.stdout.destroy();
  expect(await done).toMatchObject({ code: 0, stderr: '' });
});
