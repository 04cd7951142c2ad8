/** Lines of a file of cases: what they may hold, and what is said of those that hold something else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RawcallError } from '../../parsers/error.ts';
import { caseReader } from '../../src/check/case.ts';

const read = (line: object | string) =>
  caseReader('cases.jsonl')(typeof line === 'string' ? line : JSON.stringify(line), 4);

test('a case as it is written', () => {
  const line = {
    id: 5,
    format: 'qwen',
    completion: ['Hi ', { text: '<tool_call>', control: true }],
    tools: [{ name: 'add' }],
    prefill: '<think>\n',
    reason: 'length',
    bareCalls: 'anywhere',
    expected: { calls: [{ name: 'add' }], content: '', problems: ['truncated'], repairs: ['bare-call'] },
    model: 'whatever it was',
  };
  expect(read(line)).toMatchObject({
    id: '5',
    format: 'qwen',
    completion: [{ text: 'Hi ' }, { text: '<tool_call>', control: true }],
    inPieces: true,
    tools: [{ name: 'add', inputSchema: { type: 'object' } }],
    prefill: '<think>\n',
    reason: 'length',
    bareCalls: 'anywhere',
    expected: { ...line.expected, calls: [{ name: 'add', arguments: {} }] },
  });
  expect(read({ completion: 'Hi' })).toEqual({ id: 'line 4', completion: [{ text: 'Hi' }], inPieces: false });
  expect(read(' \r')).toBeUndefined();
});

test('defaults hold for the lines after them, and a line has the last word', () => {
  const next = caseReader('cases.jsonl', { format: 'flag' });
  const format = (line: object, number: number) => next(JSON.stringify(line), number)?.format;
  expect(format({ completion: '' }, 1)).toBe('flag');
  expect(format({ defaults: { format: 'first', prefill: 'x' } }, 2)).toBeUndefined();
  expect(format({ completion: '' }, 3)).toBe('first');
  expect(format({ completion: '', format: 'own' }, 4)).toBe('own');
  next('{"defaults": {"prefill": "y"}}', 5);
  expect(next('{"completion": ""}', 6)).toMatchObject({ format: 'first', prefill: 'y' });
});

test('tools may stand in a file, and the same tools are the same object', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-case-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'tools.json'), '[{"name": "add"}]');
  const next = caseReader(path.join(folder, 'cases.jsonl'));
  const tools = (value: unknown, number: number) =>
    next(JSON.stringify({ completion: '', tools: value }), number)?.tools;
  expect(tools('tools.json', 1)?.[0]?.name).toBe('add');
  expect(tools('tools.json', 2)).toBe(tools('tools.json', 3));
  expect(tools([{ name: 'x' }], 4)).toBe(tools([{ name: 'x' }], 5));
  expect(() => tools('none.json', 6)).toThrow(/cases\.jsonl:6: its tools file .*none\.json: ENOENT/);
});

test.each<[object | string, RegExp]>([
  ['{"completion": "a"', /cases\.jsonl:4:19: not JSON: close brace expected/],
  ['{"completion": }', /cases\.jsonl:4:16: not JSON: value expected/],
  ['[1]', /cases\.jsonl:4: a line must be a JSON object/],
  [{}, /it has no "completion"/],
  [{ completion: 5 }, /"completion" must be a text, or a list of pieces/],
  [{ completion: [5] }, /"completion"\[0\] must be a JSON object/],
  [{ completion: [{ text: 'a', control: 'yes' }] }, /"completion"\[0\] must be a text or/],
  [{ completion: '', id: [] }, /"id" must be a text or a number/],
  [{ completion: '', format: 1 }, /"format" must be a text/],
  [{ completion: '', prefill: 1 }, /"prefill" must be a text/],
  [{ completion: '', reason: 'done' }, /"reason" must be one of stop, length, aborted, not "done"/],
  [{ completion: '', bareCalls: true }, /"bareCalls" must be one of whole-reply, anywhere/],
  [{ completion: '', tools: [{}] }, /tools\[0\]\.name is missing/],
  [{ completion: '', prefil: '' }, /unknown key "prefil"\. Did you mean "prefill"\?/],
  [{ completion: '', expected: [] }, /"expected" must be a JSON object/],
  [{ completion: '', expected: { call: [] } }, /unknown key "call" in "expected"\. Did you mean "calls"\?/],
  [{ completion: '', expected: { calls: {} } }, /"expected"\."calls" must be a list/],
  [{ completion: '', expected: { calls: [['add', {}]] } }, /"expected"\."calls"\[0\] must be a JSON object/],
  [{ completion: '', expected: { calls: [{ name: 1 }] } }, /"calls"\[0\]\."name" must be a text/],
  [
    { completion: '', expected: { calls: [{ name: 'a', arguments: [] }] } },
    /"arguments" must be a JSON object/,
  ],
  [
    { completion: '', expected: { calls: [{ name: 'a', args: {} }] } },
    /unknown key "args" in "expected\.calls\[0\]"/,
  ],
  [{ completion: '', expected: { content: 1 } }, /"expected"\."content" must be a text/],
  [{ completion: '', expected: { reasoning: null } }, /"expected"\."reasoning" must be a text/],
  [{ completion: '', expected: { problems: 'truncated' } }, /"problems" must be a list of names/],
  [
    { completion: '', expected: { problems: ['truncate'] } },
    /no name "truncate"\. Did you mean "truncated"\?/,
  ],
  [{ completion: '', expected: { repairs: ['magic'] } }, /no name "magic"\. Names: bare-call, /],
  [{ defaults: { tool: [] } }, /unknown key "tool" in "defaults"\. Did you mean "tools"\?/],
])('%j is refused', (line, message) => {
  let error: unknown;
  try {
    read(line);
  } catch (thrown) {
    error = thrown;
  }
  expect(RawcallError.isInstance(error) && error).toMatchObject({
    code: 'bad_case',
    details: { file: 'cases.jsonl', line: 4 },
    message: expect.stringMatching(message),
  });
});
