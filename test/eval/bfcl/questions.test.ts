import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type BfclCategory, readBfcl } from '../../../src/eval/bfcl/questions.ts';
import { jsonSchema } from '../../../src/eval/bfcl/schema.ts';
import { taskFileOf } from '../../../src/eval/bfcl/task-file.ts';
import { matchings } from '../../../src/eval/matching.ts';
import { readTaskFile } from '../../../src/eval/task-file.ts';
import { bfclFolder, madeUp, question } from './made-up.ts';

const categories: readonly BfclCategory[] = ['simple', 'parallel', 'irrelevance'];

test('types in words of Python become a JSON Schema that says the same', () => {
  expect(
    jsonSchema({
      type: 'dict',
      properties: {
        amount: { type: 'float', description: 'How much.', default: 1.5 },
        pair: { type: 'tuple', items: { type: 'integer' }, minItems: 2 },
        kinds: { type: 'array', items: { type: 'string' }, enum: ['a', 'b'] },
        what: { type: 'any', description: 'Whatever.' },
        inner: { type: 'dict', properties: { flag: { type: 'bool', optional: true } }, required: [] },
        kind: { type: 'string', enum: ['x', 'y'] },
      },
      required: ['amount'],
    }),
  ).toEqual({
    type: 'object',
    properties: {
      amount: { type: 'number', description: 'How much.', default: 1.5 },
      pair: { type: 'array', items: { type: 'integer' }, minItems: 2 },
      kinds: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      what: { description: 'Whatever.' },
      inner: { type: 'object', properties: { flag: { type: 'boolean' } }, required: [] },
      kind: { type: 'string', enum: ['x', 'y'] },
    },
    required: ['amount'],
  });
});

test.each(['', 'bfcl_eval', 'bfcl_eval/data'])('the files are found from the folder %j on', place => {
  const found = readBfcl(path.join(bfclFolder(), place), categories);
  expect(found.map(({ id, category, expected }) => [id, category, expected.length])).toEqual([
    ['simple_python_0', 'simple', 1],
    ['parallel_0', 'parallel', 2],
    ['parallel_1', 'parallel', 2],
    ['parallel_2', 'parallel', 2],
    ['irrelevance_0', 'irrelevance', 0],
  ]);
});

test('a task file of them is one of ours, with the same questions, tools and answers', async () => {
  const folder = bfclFolder();
  const file = path.join(folder, 'mine.yaml');
  writeFileSync(file, taskFileOf(readBfcl(folder, categories)));
  const { tasks, bad, matching } = await readTaskFile(file);
  expect(bad).toEqual([]);
  expect(matching).toBe('bfcl');
  const [simple, parallel, , , irrelevance] = tasks;
  expect(simple).toMatchObject({ query: 'Boil six eggs for four minutes.', tags: ['simple'] });
  expect(simple?.stubs?.[0]?.definition).toMatchObject({
    name: 'kitchen.boil',
    description: 'Boils eggs.',
    inputSchema: { type: 'object', properties: { minutes: { type: 'number' } }, required: ['eggs'] },
  });
  expect(parallel?.expected.calls).toHaveLength(2);
  expect(irrelevance?.expected).toMatchObject({ call: false, calls: [] });
});

test.each([
  ['{"eggs": 6, "minutes": 4}', true],
  ['{"eggs": 6, "minutes": 4.5, "salt": true}', true],
  ['{"eggs": 6.0, "minutes": 4.0}', false],
  ['{"eggs": 6}', false],
  ['{"eggs": 6, "minutes": 4, "salt": false}', false],
])('the leaderboard’s rules compare a task’s calls: %s', async (argumentsText, right) => {
  const folder = bfclFolder();
  const file = path.join(folder, 'mine.yaml');
  writeFileSync(file, taskFileOf(readBfcl(folder, ['simple'])));
  const [task] = (await readTaskFile(file)).tasks;
  const tool = task!.stubs![0]!.definition;
  const call = { arguments: JSON.parse(argumentsText), argumentsText };
  // On offer under a name without dots.
  expect(matchings.bfcl(task!.expected.calls[0]!, call, { ...tool, name: 'kitchen_boil' })).toBe(right);
});

test('floats of whole numbers, and dicts that look like matchers, outlive YAML', async () => {
  const folder = bfclFolder({
    'BFCL_v4_simple_python.json': [
      question('simple_python_0', 'Mix.', [
        {
          name: 'mix',
          parameters: {
            type: 'dict',
            properties: {
              parts: { type: 'array', items: { type: 'float' } },
              how: { type: 'dict', properties: {} },
            },
            required: [],
          },
        },
      ]),
    ],
    'possible_answer/BFCL_v4_simple_python.json': [
      '{"id": "simple_python_0", "ground_truth": [{"mix": {"parts": [[1.0, 2.0]], "how": [{"range": [5], "exact": ["", 1]}]}}]}',
    ],
  });
  const file = path.join(folder, 'mine.yaml');
  writeFileSync(file, taskFileOf(readBfcl(folder, ['simple'])));
  const { tasks, bad } = await readTaskFile(file);
  expect(bad).toEqual([]);
  const right = (argumentsText: string) =>
    matchings.bfcl(
      tasks[0]!.expected.calls[0]!,
      { arguments: JSON.parse(argumentsText), argumentsText },
      tasks[0]!.stubs![0]!.definition,
    );
  expect(right('{"parts": [1.0, 2.0], "how": {"range": 5}}')).toBe(true);
  expect(right('{"parts": [1, 2], "how": {"range": 5}}')).toBe(false);
  expect(right('{"parts": [1.0, 2.0], "how": {"range": 6}}')).toBe(false);
});

test.each([
  [
    'a line that is no JSON',
    { 'BFCL_v4_irrelevance.json': ['{}', '{"id":'] },
    /BFCL_v4_irrelevance\.json:1: id: /,
  ],
  ['broken JSON', { 'BFCL_v4_irrelevance.json': ['{"id":'] }, /irrelevance\.json:1: is no JSON/],
  [
    'a type that is none',
    { 'BFCL_v4_irrelevance.json': [question('a', 'b', [{ name: 'f', parameters: { type: 'matrix' } }])] },
    /irrelevance\.json:1: function f: "matrix" is no type that is known here/,
  ],
  [
    'a question of two turns',
    {
      'BFCL_v4_irrelevance.json': [
        {
          ...question('a', 'b'),
          question: [[{ role: 'user', content: 'b' }], [{ role: 'user', content: 'c' }]],
        },
      ],
    },
    /question: must have one turn/,
  ],
])('%s is refused with file and line', (_, files, message) => {
  expect(() => readBfcl(bfclFolder(files), ['irrelevance'])).toThrow(message);
});

test('a question without possible answers is refused, and so is a file without their file', () => {
  const { 'possible_answer/BFCL_v4_parallel.json': answers = [], ...rest } = madeUp;
  expect(() => readBfcl(bfclFolder(rest), ['parallel'])).toThrow(
    /possible_answer.*parallel\.json is missing/,
  );
  const fewer = { ...rest, 'possible_answer/BFCL_v4_parallel.json': answers.slice(0, 1) };
  expect(() => readBfcl(bfclFolder(fewer), ['parallel'])).toThrow(
    /BFCL_v4_parallel\.json:2: "parallel_1" has no possible answers/,
  );
});

test('a folder without them is refused, with the way to get them', () => {
  expect(() => readBfcl(bfclFolder({}))).toThrow(/pip download --no-deps bfcl-eval/);
  expect(() => readBfcl(bfclFolder(), ['live_simple'])).toThrow(/no questions of the category "live_simple"/);
});
