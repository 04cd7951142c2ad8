/** `rawcall parse`: completions on stdin, JSON on stdout. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { outcome, rawcall, start, temporaryFolder } from './rawcall.ts';

const tagged = (args: string) => `<tool_call>\n{"name": "add", "arguments": ${args}}\n</tool_call>`;
const jsonl = ['parse', '--jsonl', '--format', 'hermes'];
const lines = (...records: object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('');

test('a text gives its calls, its words and its thoughts', async () => {
  const { code, json } = await rawcall(['parse', '--format', 'qwen'], {
    stdin: `<think>\nSums.\n</think>\n\nOne moment.\n${tagged('{"a": 31, "b": 11}')}<|im_end|>`,
  });
  expect(code).toBe(0);
  const [{ calls, content, reasoning, problems, repairs }] = json();
  expect(calls).toEqual([{ name: 'add', arguments: { a: 31, b: 11 } }]);
  expect(content.trim()).toBe('One moment.');
  expect(reasoning.trim()).toBe('Sums.');
  expect({ problems, repairs }).toEqual({ problems: [], repairs: [] });
});

test('--events prints what is read as it is read', async () => {
  const { json } = await rawcall(['parse', '--format', 'hermes', '--events'], {
    stdin: `Hi. ${tagged('{"a": 1}')}`,
  });
  const types = json().map(event => event.type);
  expect(types[0]).toBe('text-delta');
  expect(types.indexOf('call-start')).toBeLessThan(types.indexOf('call-delta'));
  expect(types.at(-1)).toBe('call-end');
  expect(json().at(-1).call).toMatchObject({ name: 'add', arguments: { a: 1 }, argumentsText: '{"a":1}' });
});

test('--all-formats shows what each format reads, those that read alike together', async () => {
  const [table, json] = await Promise.all([
    rawcall(['parse', '--all-formats'], { stdin: `Hi. ${tagged('{"a": 1}')}` }),
    rawcall(['parse', '--all-formats', '--json'], { stdin: '[add(a=1)] ' }),
  ]);
  const [titles = '', first = '', ...others] = table.stdout.trimEnd().split('\n');
  expect(titles).toMatch(/^calls +content +reasoning +problems +repairs +formats$/);
  expect(first).toMatch(/^add \{"a":1\} +3 +0 +hermes, qwen, qwen2\.5/);
  expect(others.at(-1)).toMatch(/^ +\d+ +0 +llama3, /);
  const [best, ...rest] = json.json();
  expect(best).toMatchObject({ calls: [{ name: 'add', arguments: { a: 1 } }], repairs: [] });
  expect(best.formats).toContain('llama3');
  expect(rest[0].repairs).toMatchObject([{ repair: 'bare-call' }]);
  const named = [best, ...rest].flatMap(({ formats }) => formats);
  expect(new Set(named).size).toBe(named.length);
  expect(named).toEqual(expect.arrayContaining(['hermes', 'llama3-json', 'gpt-oss', 'kimi-k2']));
});

test('JSON lines come out in order, each with its id', async () => {
  const { code, json } = await rawcall(jsonl, {
    stdin: lines(
      { id: 'first', completion: 'Just words.' },
      { id: 2, completion: tagged('{"a": 1}') },
      { completion: '[add(a=2)]', format: 'llama3' },
    ),
  });
  expect(code).toBe(0);
  expect(json()).toEqual([
    { id: 'first', calls: [], content: 'Just words.', reasoning: '', problems: [], repairs: [] },
    {
      id: 2,
      calls: [{ name: 'add', arguments: { a: 1 } }],
      content: '',
      reasoning: '',
      problems: [],
      repairs: [],
    },
    {
      id: 3,
      calls: [{ name: 'add', arguments: { a: 2 } }],
      content: '',
      reasoning: '',
      problems: [],
      repairs: [],
    },
  ]);
});

test('integers keep their digits, in arguments and in ids', async () => {
  const { stdout } = await rawcall(jsonl, {
    stdin: `{"id": 9007199254740993, "completion": ${JSON.stringify(tagged('{"n": 12345678901234567890}'))}}\n`,
  });
  expect(stdout).toContain('"id":9007199254740993,');
  expect(stdout).toContain('"arguments":{"n":12345678901234567890}');
});

test("a line's own field, tools and stop win over the flags", async () => {
  const folder = temporaryFolder();
  const tools = path.join(folder, 'tools.json');
  writeFileSync(tools, JSON.stringify([{ name: 'add', inputSchema: { type: 'object' } }]));
  const other = [{ type: 'function', function: { name: 'other', parameters: { type: 'object' } } }];
  const { json } = await rawcall([...jsonl, '--field', 'text', '--tools', tools], {
    stdin: lines(
      { text: tagged('{}') },
      { text: tagged('{}'), tools: other },
      { text: '<tool_call>\n{"name": "add", "arguments": {"a"', stop: 'length' },
    ),
  });
  const [offered, unknown, cut] = json();
  expect(offered.calls).toHaveLength(1);
  expect(unknown).toMatchObject({ calls: [], problems: [{ problem: 'unknown_tool', span: { start: 0 } }] });
  expect(cut).toMatchObject({ calls: [], problems: [{ problem: 'truncated' }] });
});

test('a bad line is told by its number, and the rest goes on', async () => {
  const { code, json } = await rawcall(jsonl, {
    stdin: `{"completion": "a"}\n{oops\n\n[1]\n{"id": "x", "completion": 5}\n{"id": "y", "completion": "b", "stop": "done"}\n{"id": "z", "completion": "c", "format": "nope"}\n{"completion": "d"}`,
  });
  expect(code).toBe(1);
  const out = json();
  expect(out.map(({ error, content }) => content ?? error)).toEqual([
    'a',
    expect.stringMatching(/^line 2: /),
    expect.stringMatching(/^line 4: it is no JSON object/),
    expect.stringMatching(/^line 5: there is no text in "completion"/),
    expect.stringMatching(/^line 6: "stop" must be "stop" or "length", not "done"/),
    expect.stringMatching(/^line 7: There is no format "nope"/),
    'd',
  ]);
  expect(out.map(({ id }) => id)).toEqual([1, null, null, 'x', 'y', 'z', 8]);
});

test('more lines than fit into memory, and a reader that is slow to begin', async () => {
  const line =
    `${JSON.stringify({ id: 1, completion: '[add(a=1, b=2)]', pad: 'x'.repeat(20_000) })}\n`.repeat(20);
  const blocks = 100;
  const env = { NODE_OPTIONS: '--max-old-space-size=24' };
  expect(line.length * blocks).toBeGreaterThan(40_000_000);
  const child = start(['parse', '--jsonl', '--format', 'llama3'], { env });
  child.stdout.pause();
  setTimeout(() => child.stdout.resume(), 1000);
  const done = outcome(child);
  for (let block = 0; block < blocks; block++) if (!child.stdin.write(line)) await once(child.stdin, 'drain');
  child.stdin.end();
  const { code, stdout } = await done;
  expect(code).toBe(0);
  expect(stdout.split('\n')).toHaveLength(20 * blocks + 1);
});

test('a reader that goes away ends it quietly', async () => {
  const child = start(['parse', '--jsonl', '--format', 'llama3']);
  const done = outcome(child);
  child.stdin.on('error', () => {});
  child.stdout.destroy();
  child.stdin.end(`${JSON.stringify({ completion: 'Hi.'.repeat(100) })}\n`.repeat(5000));
  expect(await done).toMatchObject({ stderr: '', code: 0 });
});
