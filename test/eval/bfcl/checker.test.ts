import { describe, expect, test } from 'vitest';
import { checkCalls } from '../../../src/eval/bfcl/checker.ts';
import { isDict, isList, type PyValue, parsePython, show } from '../../../src/eval/bfcl/python.ts';

const tools = [
  {
    name: 'ship.book',
    inputSchema: {
      type: 'object',
      properties: {
        port: { type: 'string' },
        cabins: { type: 'integer' },
        price: { type: 'number' },
        lunch: { type: 'boolean' },
        stops: { type: 'array', items: { type: 'string' } },
        weights: { type: 'array', items: { type: 'number' } },
        owner: { type: 'object' },
        guests: { type: 'array', items: { type: 'object' } },
        note: {},
      },
      required: ['port'],
    },
  },
];

/** Calls and answers in the leaderboard's form. */
function verdict(expected: string, ...calls: readonly string[]): boolean {
  const answer = entries(parsePython(`{"ship.book": ${expected}}`)).map(([name, args]) => ({
    name,
    arguments: new Map(entries(args).map(([key, values]) => [key, isList(values) ? values : []])),
  }));
  const made = calls.map(call => ({ name: 'ship.book', arguments: new Map(entries(parsePython(call))) }));
  return checkCalls(tools, made, answer) === undefined;
}

const entries = (value: PyValue) => (isDict(value) ? [...value] : []);

describe('texts', () => {
  test.each([
    ['Oslo', true],
    ['  oslo', true],
    ['OS-LO.', true],
    ['os_lo^*/,', true],
    ['Oslo!', false],
    ['Oslø', false],
    ['', false],
  ])('%j for Oslo', (written, right) => {
    expect(verdict('{"port": ["Oslo"]}', JSON.stringify({ port: written }))).toBe(right);
  });

  test('any of the possible ones, and single quotes as double ones', () => {
    expect(verdict('{"port": ["Rome", "the \'old\' port"]}', '{"port": "The \\"old\\" port"}')).toBe(true);
  });
});

describe('numbers', () => {
  test.each([
    ['{"price": [5.0]}', '{"price": 5}', true],
    ['{"price": [5]}', '{"price": 5.0}', true],
    ['{"cabins": [5]}', '{"cabins": 5.0}', false],
    ['{"cabins": [5]}', '{"cabins": "5"}', false],
    ['{"cabins": [1]}', '{"cabins": true}', false],
    ['{"lunch": [true]}', '{"lunch": 1}', false],
    ['{"price": [1200.0]}', '{"price": 1.2e3}', true],
    ['{"weights": [[1.0, 2.0]]}', '{"weights": [1.0, 2.0]}', true],
    // The rules take an integer for a float, but not within a list.
    ['{"weights": [[1.0, 2.0]]}', '{"weights": [1, 2]}', false],
    ['{"weights": [[1, 2]]}', '{"weights": [1, 2]}', true],
  ])('%s, %s', (expected, written, right) => {
    const port = (args: string) => args.replace('{', '{"port": "x", ');
    expect(verdict(expected.replace('{', '{"port": ["x"], '), port(written))).toBe(right);
  });
});

describe('what is there and what is not', () => {
  test.each([
    ['an optional argument that was left out', '{"port": ["x"], "cabins": ["", 2]}', '{"port": "x"}', true],
    ['an argument that may not be left out', '{"port": ["x"], "cabins": [2]}', '{"port": "x"}', false],
    ['an argument that is not expected', '{"port": ["x"]}', '{"port": "x", "cabins": 2}', false],
    ['an argument that the tool has not', '{"port": ["x"], "deck": [1]}', '{"port": "x", "deck": 1}', false],
    ['a required argument, whatever is expected', '{"port": ["", "x"]}', '{}', false],
    [
      'an empty text where it may be left out',
      '{"port": ["x"], "note": ["", "y"]}',
      '{"port": "x", "note": ""}',
      true,
    ],
  ])('%s', (_, expected, written, right) => {
    expect(verdict(expected, written)).toBe(right);
  });
});

describe('lists and dicts', () => {
  test.each([
    ['{"stops": [["Oslo", "Kiel"]]}', '{"stops": ["oslo", "KIEL"]}', true],
    ['{"stops": [["Oslo", "Kiel"]]}', '{"stops": ["Kiel", "Oslo"]}', false],
    ['{"stops": [["Oslo"], ["Kiel"]]}', '{"stops": ["Kiel"]}', true],
    ['{"stops": [["Oslo"], ""]}', '{"stops": []}', true],
    ['{"stops": [["Oslo"]]}', '{"stops": []}', false],
    ['{"stops": [["Oslo"]]}', '{"stops": [5]}', false],
    ['{"owner": [{"name": ["Ann", "Anna"], "age": [40, ""]}]}', '{"owner": {"name": "anna"}}', true],
    ['{"owner": [{"name": ["Ann"], "age": [40]}]}', '{"owner": {"name": "Ann"}}', false],
    ['{"owner": [{"name": ["Ann"]}]}', '{"owner": {"name": "Ann", "age": 40}}', false],
    ['{"guests": [[{"name": ["A"]}, {"name": ["B"]}]]}', '{"guests": [{"name": "a"}, {"name": "b"}]}', true],
    ['{"guests": [[{"name": ["A"]}, {"name": ["B"]}]]}', '{"guests": [{"name": "b"}, {"name": "a"}]}', false],
    ['{"guests": [[{"name": ["A"]}]]}', '{"guests": [{"name": "a"}, {"name": "a"}]}', false],
  ])('%s, %s', (expected, written, right) => {
    const port = (args: string) => args.replace('{', '{"port": "x", ');
    expect(verdict(expected.replace('{', '{"port": ["x"], '), port(written))).toBe(right);
  });
});

test("a variable's name in the place of a value is compared letter by letter", () => {
  const expected = '{"port": ["x"], "cabins": ["cabinCount"]}';
  expect(verdict(expected, '{"port": "x", "cabins": "cabinCount"}')).toBe(true);
  expect(verdict(expected, '{"port": "x", "cabins": "cabincount"}')).toBe(false);
});

test('several calls count in any order, each once, and as many as are expected', () => {
  const named = (port: string) => ({
    name: 'ship.book',
    arguments: new Map<string, PyValue>([['port', port]]),
  });
  const answer = ['a', 'b'].map(port => ({ name: 'ship.book', arguments: new Map([['port', [port]]]) }));
  expect(checkCalls(tools, [named('b'), named('a')], answer)).toBeUndefined();
  expect(checkCalls(tools, [named('a'), named('a')], answer)).toBe('port is "a", and may be "b"');
  expect(checkCalls(tools, [named('c'), named('d')], answer)).toBe(
    'no call is ship.book as expected (port is "c", and may be "a"; port is "d", and may be "a")',
  );
  expect(checkCalls(tools, [named('a')], answer)).toBe('1 calls were made where 2 are expected');
  expect(checkCalls(tools, [named('a')], [])).toBe('1 calls were made where 0 are expected');
  expect(checkCalls(tools, [], [])).toBeUndefined();
});

test('what is wrong is said with the values', () => {
  const answer = [{ name: 'ship.book', arguments: new Map([['port', ['a', { float: 5 }]]]) }];
  const call = { name: 'ship.book', arguments: new Map<string, PyValue>([['port', 'c']]) };
  expect(checkCalls(tools, [call], answer)).toBe('port is "c", and may be "a" or 5.0');
  expect(checkCalls(tools, [{ ...call, name: 'ship.sink' }], answer)).toBe(
    'ship.sink was called, not ship.book',
  );
});

test('values are written as they were read', () => {
  const text = '{"a": [1, 1.0, 2.5, true, null, "b"], "c": {}}';
  expect(show(parsePython(text))).toBe(text);
});
