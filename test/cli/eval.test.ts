/** `rawcall eval`, as people run it, over the practice model. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { outcome, rawcall, start, temporaryFolder } from './rawcall.ts';

const tasks = `servers:
  calc: { command: rawcall, args: [mcp-server, calc] }
  materials: { command: rawcall, args: [mcp-server, materials] }
samples: 1
tasks:
  - { id: sum, query: What is 31 plus 11?, expected_tool: add, arguments: { a: 31, b: 11 }, answer_holds: 42, tags: [calc] }
  - { id: flag, query: "Flag M-1003: no weight.", expected_tool: flag_material, tags: [materials] }
  - { id: read, query: What is M-1003?, expected_tool: get_material, arguments: { id: M-1003 }, answer_holds: Copper wire, tags: [materials] }
  - { id: hello, query: Hello!, should_call_tool: false, tags: [small-talk] }
`;

interface Line {
  readonly type: string;
  readonly variant: string;
  readonly task: string;
  readonly answer: string;
  readonly transcript: string;
  readonly scores: { readonly right: boolean };
}

function folderWith(text = tasks) {
  const folder = temporaryFolder();
  const file = path.join(folder, 'tasks.yaml');
  writeFileSync(file, text);
  const out = path.join(folder, 'results.jsonl');
  const lines = (): Line[] =>
    readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
  return { folder, file, out, lines, samples: () => lines().filter(({ type }) => type === 'sample') };
}

test('two formats and two policies are asked, counted and recorded', async () => {
  const { folder, file, out, samples } = folderWith();
  const flags = [
    '--format',
    'qwen',
    '--format',
    'llama3',
    '--policy',
    'auto',
    '--policy',
    'without-schema/once',
  ];
  const { code, stdout, stderr } = await rawcall(['eval', file, '--out', out, ...flags]);
  expect(stderr).toContain(`The results are in ${out}`);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^model practice, constrain off, schema form native$/m);
  for (const label of [
    'qwen · auto',
    'qwen · without-schema/once',
    'llama3 · auto',
    'llama3 · without-schema/once',
  ])
    expect(stdout).toContain(label);
  expect(stdout).toMatch(/^samples +4 +4/m);
  expect(stdout).toMatch(/^call decision +\d+ % \(\d+–\d+\) of 4/m);
  expect(samples()).toHaveLength(16);
  const auto = samples().filter(({ variant }) => variant === 'practice:qwen:auto:off:native');
  expect(auto.map(({ task, scores }) => [task, scores.right])).toEqual([
    ['sum', true],
    ['flag', true],
    ['read', true],
    ['hello', true],
  ]);
  // The flag that another sample set is not there: its server was started anew.
  expect(auto[2]?.answer).not.toContain('no weight');

  const transcript = path.join(folder, auto[0]?.transcript ?? '');
  const shown = readFileSync(transcript, 'utf8');
  expect(JSON.parse(shown.split('\n')[0] ?? '')).toMatchObject({
    type: 'transcript',
    model: { format: 'qwen' },
  });
  expect(shown).toContain('What is 31 plus 11?');
  expect(readdirSync(path.join(folder, 'results.transcripts'))).toHaveLength(4);
});

test('a run that was killed goes on, and takes nothing twice', async () => {
  const { file, out, lines, samples } = folderWith();
  const child = start(['eval', file, '--out', out, '--samples', '2', '--temperature', '0.5', '--no-record']);
  const ended = outcome(child);
  let stderr = '';
  child.stderr.on('data', text => {
    stderr += text;
  });
  const told = () => {
    try {
      return samples().length;
    } catch {
      return 0;
    }
  };
  while (told() < 2 && child.exitCode === null) await new Promise(resolve => setTimeout(resolve, 20));
  child.kill('SIGKILL');
  await ended;
  const before = samples().length;
  expect(before, stderr).toBeGreaterThanOrEqual(2);
  expect(before).toBeLessThan(8);

  const again = await rawcall([
    'eval',
    file,
    '--out',
    out,
    '--samples',
    '2',
    '--temperature',
    '0.5',
    '--no-record',
  ]);
  expect(again.stderr).toMatch(/has \d+ samples already: the rest is taken/);
  expect(again.code).toBe(0);
  expect(samples()).toHaveLength(8);
  expect(lines().at(-1)).toMatchObject({ type: 'eval-end', reason: 'done', left: 0 });
  expect(samples().some(({ transcript }) => transcript !== undefined)).toBe(false);

  const other = await rawcall(['eval', file, '--out', out, '--samples', '3']);
  expect(other.code).toBe(2);
  expect(other.stderr).toContain('was begun with 2 samples a task');
});

test('a budget of tokens ends it with exit code 3, and says what is left', async () => {
  const { file, out } = folderWith();
  const { code, stderr } = await rawcall([
    'eval',
    file,
    '--out',
    out,
    '--max-tokens-total',
    '1',
    '--no-record',
  ]);
  expect(stderr).toContain('3 samples are left: the tokens of --max-tokens-total are used up');
  expect(code).toBe(3);
});

test('a model that is not there is told, the other one is asked, and the exit code is 1', async () => {
  const { file, out, folder, samples } = folderWith();
  const models = ['--model', path.join(folder, 'gone.gguf'), '--model', practice];
  const { code, stderr, stdout } = await rawcall([
    'eval',
    file,
    '--out',
    out,
    '--tag',
    'calc',
    ...models,
    '--no-record',
  ]);
  expect(stderr).toMatch(/gone:auto:auto:off:native is given up: .*gone\.gguf/);
  expect(stdout).toMatch(/^samples +0 +1$/m);
  expect(code).toBe(1);
  expect(samples().map(({ task }) => task)).toEqual(['sum']);
});

test('models of a task file may be names, of the store too; one that is none is told, and the others are asked', async () => {
  const { file, out, samples } = folderWith(`models: [my-own, my-owl]\n${tasks}`);
  const env = { RAWCALL_STORE: temporaryFolder() };
  const imported = await rawcall(['models', 'import', practice, '--name', 'my-own:Q8_0'], { env });
  expect(imported.code).toBe(0);
  const { code, stderr } = await rawcall(['eval', file, '--out', out, '--tag', 'calc', '--no-record'], {
    env,
  });
  expect(stderr).toMatch(/my-owl:auto:auto:off:native is given up: The catalog has no model "my-owl"/);
  expect(samples()).toMatchObject([{ variant: 'my-own:auto:auto:off:native', task: 'sum' }]);
  expect(code).toBe(1);
});

test('a bad task is told with its line and key, the others are asked, and the exit code is 2', async () => {
  const bad = '  - { id: odd, query: Hi, expected_tool: ad }\n  - { id: odder, qery: Hi }\n';
  const { file, out, samples } = folderWith(tasks + bad);
  const { code, stderr } = await rawcall(['eval', file, '--out', out, '--no-record', '--max-tokens', '64']);
  expect(stderr).toContain('tasks.yaml:10: tasks[4].expected_tool: there is no tool "ad"; is it add?');
  expect(stderr).toContain('tasks.yaml:11: tasks[5].qery: there is no such key; is it query?');
  expect(code).toBe(2);
  expect(samples()).toHaveLength(4);
});

test.each([
  [['eval'], 'Which tasks? Give a task file'],
  [['eval', 'startr'], 'Is it starter?'],
  [['eval', 'crm', '--policy', 'with-shema'], 'There is no policy "with-shema". Is it with-schema?'],
  [['eval', 'crm', '--constrain', 'on'], 'There is no constraint "on".'],
  [['eval', 'crm', '--max-time', 'soon'], 'It must be a number of seconds'],
  [['eval', 'crm', '--samples', '0'], 'It must be a whole number from 1 on'],
  [['eval', 'crm', '--filter', 'nothing'], 'there is no task to ask'],
])('%j cannot be meant', async (args, message) => {
  const { code, stderr } = await rawcall(args);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

const practice = path.join(import.meta.dirname, '../../models/practice/practice.gguf');
