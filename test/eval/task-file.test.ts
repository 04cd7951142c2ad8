/** What is wrong in a task file is told with its line and key, and leaves the other tasks alone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkTasks } from '../../src/eval/check-tasks.ts';
import { readTaskFile } from '../../src/eval/task-file.ts';
import { openToolPool } from '../../src/eval/tool-pool.ts';

function written(text: string, name = 'tasks.yaml'): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-tasks-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const head = `tools:
  - name: crm.find
    inputSchema: { type: object, properties: { query: { type: string } }, required: [query] }
    results:
      - when: { query: Acme }
        result: { tier: Gold }
      - error: No such account.
`;

async function badOf(
  tasks: string,
): Promise<{ readonly ids: readonly string[]; readonly bad: readonly string[] }> {
  const set = await readTaskFile(written(`${head}tasks:\n${tasks}`));
  const pool = openToolPool(set.servers, set.stubs);
  try {
    const checked = await checkTasks(set, pool);
    const folder = `${path.dirname(set.file)}${path.sep}`;
    return {
      ids: checked.tasks.map(({ id }) => id),
      bad: checked.bad.map(({ message }) => message.replaceAll(folder, '')),
    };
  } finally {
    await pool.close();
  }
}

const good = '  - { id: good, query: Hello, should_call_tool: false }\n';

test.each<[string, string, RegExp]>([
  [
    'an unknown key',
    '  - id: x\n    query: Hi\n    should_call_tol: true\n',
    /^tasks\.yaml:11: tasks\[0\]\.should_call_tol: there is no such key; is it should_call_tool\?\.?$/m,
  ],
  [
    'an unknown key of a call',
    '  - id: x\n    query: Hi\n    expected_calls:\n      - tool: crm.find\n        argments: {}\n',
    /^tasks\.yaml:13: tasks\[0\]\.expected_calls\[0\]\.argments: there is no such key; is it arguments\?/,
  ],
  [
    'an unknown tool',
    '  - id: x\n    query: Hi\n    expected_tool: crm.fnd\n',
    /^tasks\.yaml:11: tasks\[0\]\.expected_tool: there is no tool "crm\.fnd"; is it crm\.find\?$/,
  ],
  [
    'an unknown tool of several',
    '  - id: x\n    query: Hi\n    expected_calls:\n      - tool: crm.find\n      - tool: mail.send\n',
    /^tasks\.yaml:13: tasks\[0\]\.expected_calls\[1\]\.tool: there is no tool "mail\.send"\. There are: crm\.find\.$/,
  ],
  [
    'an unknown argument',
    '  - id: x\n    query: Hi\n    expected_tool: crm.find\n    arguments:\n      qurey: Acme\n',
    /^tasks\.yaml:13: tasks\[0\]\.arguments\.qurey: crm\.find has no such argument; is it query\?$/,
  ],
  [
    'a wrong type',
    '  - id: x\n    query: Hi\n    should_call_tool: maybe\n',
    /^tasks\.yaml:11: tasks\[0\]\.should_call_tool: must be true or false\.$/,
  ],
  [
    'no question',
    '  - id: x\n    should_call_tool: false\n',
    /^tasks\.yaml:9: tasks\[0\]: needs a query or a dialogue\.$/,
  ],
  [
    'two questions',
    '  - id: x\n    query: Hi\n    should_call_tool: false\n    dialogue: [{ role: user, content: Hi }]\n',
    /^tasks\.yaml:12: tasks\[0\]\.dialogue: a query is there already/,
  ],
  [
    'nothing expected',
    '  - id: x\n    query: Hi\n',
    /needs should_call_tool, an expected_tool or expected_calls\.$/,
  ],
  [
    'a contradiction',
    '  - id: x\n    query: Hi\n    should_call_tool: false\n    expected_tool: crm.find\n',
    /^tasks\.yaml:11: .*a call is expected/,
  ],
  [
    'arguments of nothing',
    '  - id: x\n    query: Hi\n    should_call_tool: true\n    arguments: {}\n',
    /^tasks\.yaml:12: .*there is none\.$/,
  ],
  [
    'a broken matcher',
    '  - id: x\n    query: Hi\n    expected_tool: crm.find\n    arguments:\n      query:\n        regex: "("\n',
    /^tasks\.yaml:14: tasks\[0\]\.arguments\.query\.regex: is no regular expression/,
  ],
  [
    'a dialogue that ends with an answer',
    '  - id: x\n    should_call_tool: false\n    dialogue:\n      - { role: user, content: Hi }\n      - { role: assistant, content: Hello }\n',
    /^tasks\.yaml:13: tasks\[0\]\.dialogue\[1\]: the last message must be the user's/,
  ],
  [
    'a message of nobody',
    '  - id: x\n    should_call_tool: false\n    dialogue:\n      - { role: narrator, content: Hi }\n',
    /^tasks\.yaml:12: tasks\[0\]\.dialogue\[0\]\.role: .*"narrator"/,
  ],
  [
    'a stub without an outcome',
    '  - id: x\n    query: Hi\n    should_call_tool: true\n    tools: [{ name: a }]\n',
    /^tasks\.yaml:12: tasks\[0\]\.tools\[0\]: needs a result, an error, or results by arguments\.$/,
  ],
  [
    'a stub with a schema that is none',
    '  - id: x\n    query: Hi\n    should_call_tool: true\n    tools:\n      - name: a\n        result: b\n        inputSchema: { type: object, properties: 3 }\n',
    /^tasks\.yaml:15: tasks\[0\]\.tools\[0\]\.inputSchema: .*JSON Schema/,
  ],
  [
    'a tool that only other tasks have',
    '  - id: x\n    query: Hi\n    expected_tool: crm.find\n    tools: [{ name: a, result: b }]\n',
    /^tasks\.yaml:11: .*there is no tool "crm\.find" among the tools of this task\. There are: a\.$/,
  ],
  [
    'an id that is taken',
    '  - id: good\n    query: Hi\n    should_call_tool: false\n',
    /^tasks\.yaml:\d+: tasks\[\d\]\.id: another task is called good already\.$/,
  ],
])('%s leaves the task out', async (_, task, message) => {
  const taken = task.includes('id: good');
  const { ids, bad } = await badOf(taken ? good + task : task + good);
  expect(ids).toEqual(['good']);
  expect(bad).toHaveLength(1);
  expect(bad[0]).toMatch(message);
});

test('all that is wrong with a task is told at once', async () => {
  const { bad } = await badOf(`  - { id: x, qury: Hi, should_call_tool: 1 }\n${good}`);
  expect(bad[0]?.split('\n')).toHaveLength(2);
});

test.each<[string, string, RegExp]>([
  [
    'an unknown key',
    `${head}model: [a]\ntasks:\n${good}`,
    /tasks\.yaml:8: model: there is no such key; is it models\?/,
  ],
  ['no tasks', head, /tasks\.yaml:1: tasks: is missing\./],
  ['tasks that are none', 'tasks: []\n', /tasks\.yaml:1: tasks: must not be empty\./],
  ['no YAML', 'tasks: [\n  {\n', /tasks\.yaml:3: not YAML: /],
  ['a key twice', 'tasks: []\ntasks: []\n', /tasks\.yaml:2: not YAML: Map keys must be unique/],
  ['a text', 'hello\n', /tasks\.yaml:1: must be an object of keys\./],
  [
    'a matching that there is none of',
    `matching: fuzzy\ntasks:\n${good}`,
    /tasks\.yaml:1: matching: must be matchers or bfcl\./,
  ],
  ['a model that is none', `models:\n  - a.gguf\n  - { url: x }\ntasks:\n${good}`, /tasks\.yaml:3: models/],
  [
    'a stub with two outcomes',
    `tools:\n  - name: a\n    result: x\n    error: y\ntasks:\n${good}`,
    /tasks\.yaml:4: tools\[0\]\.error: result and error: keep one\./,
  ],
])('%s in the head of a file is an error', async (_, text, message) => {
  await expect(readTaskFile(written(text))).rejects.toThrow(message);
  await expect(readTaskFile(written(text))).rejects.toMatchObject({ code: 'bad_tasks' });
});

test('a file that is not there is an error', async () => {
  await expect(readTaskFile('/nowhere/tasks.yaml')).rejects.toThrow(
    '/nowhere/tasks.yaml: there is no such file.',
  );
});

test('a server that does not start is an error, with its line', async () => {
  const broken = `servers:\n  fine: { command: node }\n  odd: { comand: node }\ntasks:\n${good}`;
  const set = await readTaskFile(written(broken));
  const pool = openToolPool(set.servers.slice(1), set.stubs);
  await expect(checkTasks(set, pool)).rejects.toThrow(/The server "odd": .*tasks\.yaml:3: servers\.odd: /);
  await pool.close();
});

test('a question is no sentence to end with a full stop', async () => {
  const file = written('modls: [a]\ntasks: [{ query: Hi, should_call_tool: false }]\n');
  await expect(readTaskFile(file)).rejects.toThrow(/is it models\?$/);
});

test('a model is a file of the folder, or a name or an address as --model takes them', async () => {
  const names = ['a.gguf', 'models/b', 'qwen3-4b', 'my-own:Q8_0', 'hf:org/repo:c-Q8_0.gguf', 'here'];
  const file = written(`models: [${names.join(', ')}]\ntasks: [{ query: Hi, should_call_tool: false }]\n`);
  const folder = path.dirname(file);
  writeFileSync(path.join(folder, 'here'), '');
  expect((await readTaskFile(file)).matrix.models).toEqual([
    ...['a.gguf', 'models/b'].map(name => ({ path: path.join(folder, name) })),
    ...['qwen3-4b', 'my-own:Q8_0', 'hf:org/repo:c-Q8_0.gguf'].map(name => ({ path: name })),
    { path: path.join(folder, 'here') },
  ]);
});

test('what a file says is read', async () => {
  const file = written(
    `models: [a.gguf, { endpoint: http://x/v1, name: m, api: chat }]
formats: qwen
policies: [auto, question-and-data/once]
system: Be brief.
samples: 3
seed: 5
max_tokens: 40
tasks:
  - query: What is 1?
    should_call_tool: false
    answer_holds: 1
    tags: easy
  - dialogue:
      - { role: system, content: Be long. }
      - { role: user, content: Hi }
      - { role: assistant, content: Hello }
      - { role: user, content: And now? }
    should_call_tool: true
    answer_holds: [a, [b, 2]]
`,
    'mine.yml',
  );
  const set = await readTaskFile(file);
  expect(set.name).toBe('mine');
  expect(set.matrix).toEqual({
    models: [
      { path: path.join(path.dirname(file), 'a.gguf') },
      { endpoints: ['http://x/v1'], name: 'm', api: 'chat' },
    ],
    formats: ['qwen'],
    policies: ['auto', 'question-and-data/once'],
  });
  expect(set.settings).toEqual({ system: 'Be brief.', samples: 3, seed: 5, maxTokens: 40 });
  const [first, second] = set.tasks;
  expect(first).toMatchObject({ id: '1', tags: ['easy'], query: 'What is 1?' });
  expect(first?.earlier).toEqual([{ role: 'system', content: 'Be brief.' }]);
  expect(first?.expected).toEqual({ call: false, calls: [], answerHolds: ['1'] });
  expect(second?.earlier.map(({ content }) => content)).toEqual(['Be long.', 'Hi', 'Hello']);
  expect(second?.query).toBe('And now?');
  expect(second?.expected).toEqual({ call: true, calls: [], answerHolds: ['a', ['b', '2']] });
});
