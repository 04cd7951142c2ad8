/** One case: what is read, what differs, and how that is said. */
import { expect, test } from 'vitest';
import type { ParseEvent, Parser } from '../../parsers/parser.ts';
import { type CompletionCase, caseReader } from '../../src/check/case.ts';
import { type CaseParser, checkCase, parserOf } from '../../src/check/check-case.ts';
import { describeFailure } from '../../src/check/describe.ts';
import { updatedLine } from '../../src/check/update.ts';
import { formatNamed } from '../../src/format.ts';

const hermes = parserOf(formatNamed('hermes'));
const caseOf = (fields: object) => caseReader('f.jsonl')(JSON.stringify(fields), 1) as CompletionCase;
const check = (fields: object, reader: CaseParser = hermes) => checkCase(caseOf(fields), reader, 1);
const wheres = (fields: object) => check(fields).differences.map(({ where }) => where);
const tagged = (name: string, args: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;
const said = (fields: object, reader = hermes) =>
  describeFailure({
    ...check(fields, reader),
    id: 'x',
    format: 'f',
    file: 'f.jsonl',
    line: 1,
    seed: 1,
    expects: true,
  });

test('white space around texts, the order of keys and of repairs are free; order of calls is not', () => {
  const completion = `Hi.\n${tagged('a', '{"x": 1, "y": {"p": 1.0, "q": 2}}')}${tagged('b', "{'z': True}")}`;
  const calls = [
    { name: 'a', arguments: { y: { q: 2, p: 1 }, x: 1 } },
    { name: 'b', arguments: { z: true } },
  ];
  const expected = {
    calls,
    content: ' Hi.\n',
    reasoning: '',
    problems: [],
    repairs: ['single-quotes', 'python-literal'],
  };
  expect(wheres({ completion, expected })).toEqual([]);
  expect(wheres({ completion, expected: { calls: [...calls].reverse() } })).toEqual(['calls[0]', 'calls[1]']);
  expect(wheres({ completion, expected: {} })).toEqual([]);
});

test('a difference has the path of what differs', () => {
  const completion = tagged('a', '{"x": {"list": [1, {"deep": "yes"}]}, "extra": null}');
  const expected = { calls: [{ name: 'a', arguments: { x: { list: [1, { deep: 'no' }] }, missing: [] } }] };
  const { differences } = check({ completion, expected });
  expect(differences.map(({ where, expected: left, read: right }) => [where, left, right])).toEqual([
    ['calls[0].arguments.x.list[1].deep', '"no"', '"yes"'],
    ['calls[0].arguments.missing', '[]', undefined],
    ['calls[0].arguments.extra', undefined, 'null'],
  ]);
});

test('of calls that are missing or too many, each is told once', () => {
  const completion = `${tagged('a', '{}')}${tagged('a', '{}')}${tagged('b', '{"x": ')}`;
  const one = { name: 'a', arguments: {} };
  const missing = { name: 'b', arguments: { x: 1 } };
  const { differences } = check({ completion, expected: { calls: [one, one, missing] } });
  expect(differences).toMatchObject([
    { where: 'calls', expected: 'b {"x":1}', notes: [{ text: expect.stringMatching(/^\w+ \(b\): /) }] },
  ]);
  expect(check({ completion, expected: { calls: [one] } }).differences).toMatchObject([{ read: 'a {}' }]);
});

test('every digit of a number counts', () => {
  const completion = tagged('a', '{"n": 12345678901234567891}');
  const line = `{"completion": ${JSON.stringify(completion)}, "expected": {"calls": [{"name": "a", "arguments": {"n": 12345678901234567890}}]}}`;
  const one = caseReader('f.jsonl')(line, 1) as CompletionCase;
  expect(checkCase(one, hermes, 1).differences).toMatchObject([
    { where: 'calls[0].arguments.n', expected: '12345678901234567890', read: '12345678901234567891' },
  ]);
});

test('in pieces a control token counts only as one, in a text its letters do', () => {
  const body = '\n{"name": "a", "arguments": {}}\n';
  const token = (text: string) => ({ text, control: true });
  const calls = [{ name: 'a', arguments: {} }];
  expect(
    wheres({ completion: [token('<tool_call>'), body, token('</tool_call>')], expected: { calls } }),
  ).toEqual([]);
  expect(wheres({ completion: ['Say <tool_call>', body, '</tool_call>'], expected: { calls: [] } })).toEqual(
    [],
  );
  expect(wheres({ completion: `<tool_call>${body}</tool_call>`, expected: { calls } })).toEqual([]);
});

test('prefill, reason, tools and bareCalls go to the parser', () => {
  const expected = { reasoning: 'Hm', content: 'Yes' };
  expect(wheres({ completion: 'Hm</think>Yes', prefill: '<think>', expected })).toEqual([]);
  const cut = '<tool_call>{"name": "a"';
  expect(wheres({ completion: cut, reason: 'length', expected: { problems: ['truncated'] } })).toEqual([]);
  const other = { completion: tagged('a', '{}'), tools: [{ name: 'b' }] };
  expect(wheres({ ...other, expected: { problems: ['unknown_tool'] } })).toEqual([]);
  const bare = { completion: 'So: {"name": "b", "arguments": {}}', tools: [{ name: 'b' }] };
  expect(wheres({ ...bare, bareCalls: 'anywhere', expected: { repairs: ['bare-call'] } })).toEqual([]);
  expect(wheres({ ...bare, expected: { calls: [] } })).toEqual([]);
});

/** Reads well but where a piece ends right behind an `x`. */
const stumbling: Parser = {
  name: 'stumbling',
  start: () => ({
    push: ({ text }): ParseEvent[] => [{ type: 'text-delta', text: /.x$/.test(text) ? `${text}!` : text }],
    end: () => [],
  }),
  write: () => [],
};

test('one bad place among all is found, and marked', () => {
  const fields = { completion: `first line\nsecond ${'.'.repeat(60)}x${'.'.repeat(60)}`, expected: {} };
  const { disagreement, differences } = check(fields, { parser: stumbling });
  expect(differences).toEqual([]);
  expect(disagreement?.whole).toMatchObject({ type: 'text-delta' });
  const words = said({ completion: 'one\ntwo x.', expected: {} }, { parser: stumbling });
  expect(words).toMatch(/the splits disagree: whole, and cut (in two at offset 9|at random) \(--seed 1\)/);
});

test('long values are shown where they begin to differ, a span by its line and a mark', () => {
  const long = 'same '.repeat(60);
  const words = said({ completion: `${long}left`, expected: { content: `${long}right` } });
  expect(words).toMatch(/expected {2}….*same right"$/m);
  expect(words).toMatch(/read {6}….*same left"$/m);
  const tab = said({ completion: `a\n\t${tagged('a', '{}')}`, expected: { calls: [] } });
  expect(tab).toContain('    2:2 a\n       ␉<tool_call>\n        ^~~~~~~~~~~');
});

test('many differences are cut short', () => {
  const args = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]));
  const words = said({
    completion: tagged('a', '{}'),
    expected: { calls: [{ name: 'a', arguments: args }] },
  });
  expect(words).toContain('and 30 more differences');
  expect(words.split('\n').length).toBeLessThan(160);
});

test('a line is not updated where the splits disagree, nor where all is as expected', () => {
  const line = '{"completion": "a.x", "expected": {"content": "other"}}';
  const one = caseReader('f.jsonl')(line, 1) as CompletionCase;
  expect(updatedLine(line, checkCase(one, { parser: stumbling }, 1))).toBeUndefined();
  expect(updatedLine(line, checkCase(one, hermes, 1))).toBe(
    '{"completion": "a.x", "expected": {"content": "a.x"}}',
  );
  const right = '{"completion": "Hi", "expected": {"content": "Hi"}}';
  const rightCase = caseReader('f.jsonl')(right, 1) as CompletionCase;
  expect(updatedLine(right, checkCase(rightCase, hermes, 1))).toBeUndefined();
});
