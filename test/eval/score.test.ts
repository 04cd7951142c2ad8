import { expect, test } from 'vitest';
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import { matchings } from '../../src/eval/matching.ts';
import { metricsOf } from '../../src/eval/metrics.ts';
import type { Expected, Scores } from '../../src/eval/results.ts';
import { holdsAll, score, type WrittenCall } from '../../src/eval/score.ts';
import { sample } from './made-results.ts';

const definition: ToolDefinition = { name: 'add', inputSchema: { type: 'object' } };

function call(tool: string, args: JsonObject, turn = 1): WrittenCall {
  const argumentsText = JSON.stringify(args);
  return { turn, tool, argumentsText, valid: true, read: { arguments: args, argumentsText, definition } };
}
const broken = (tool: string): WrittenCall => ({
  turn: 1,
  tool,
  argumentsText: '{"a": 1',
  valid: false,
  problem: 'truncated',
});
const expects = (...calls: Expected['calls']): Expected => ({ call: true, calls, answerHolds: [] });
const nothing: Expected = { call: false, calls: [], answerHolds: [] };
const sum = { tool: 'add', arguments: { a: 1, b: 2 } };

function scored(expected: Expected, calls: readonly WrittenCall[], answer = 'It is 3.'): Scores {
  return score(expected, calls, { answer, ownWords: answer !== '' }, matchings.matchers).scores;
}

test.each<[string, Expected, readonly WrittenCall[], Partial<Scores>]>([
  [
    'the call',
    expects(sum),
    [call('add', { a: 1, b: 2 })],
    { decisionRight: true, toolsRight: true, argumentsRight: true, right: true, needless: 0 },
  ],
  ['no call', expects(sum), [], { decisionRight: false, right: false, needless: 0 }],
  [
    'a call where none is due',
    nothing,
    [call('add', {})],
    { decisionRight: false, right: false, needless: 1 },
  ],
  ['none where none is due', nothing, [], { decisionRight: true, right: true }],
  [
    'a broken call where none is due',
    nothing,
    [broken('add')],
    { decisionRight: false, right: false, needless: 0, malformed: 1 },
  ],
  [
    'another tool',
    expects(sum),
    [call('subtract', { a: 1, b: 2 })],
    { decisionRight: true, toolsRight: false, right: false, needless: 1 },
  ],
  [
    'one tool too many',
    expects(sum),
    [call('add', { a: 1, b: 2 }), call('echo', {})],
    { toolsRight: false, right: false, needless: 1 },
  ],
  [
    'other arguments',
    expects(sum),
    [call('add', { a: 1, b: 3 })],
    { toolsRight: true, argumentsRight: false, right: false, needless: 1 },
  ],
  [
    'a call that broke, and then the right one',
    expects(sum),
    [broken('add'), call('add', { a: 1, b: 2 }, 2)],
    { toolsRight: true, argumentsRight: true, right: true, malformed: 1 },
  ],
  [
    'the same call twice',
    expects(sum),
    [call('add', { a: 1, b: 2 }), call('add', { b: 2, a: 1 }, 2)],
    { right: true, repeated: 1, needless: 0 },
  ],
  [
    'one of two',
    expects(sum, { tool: 'add', arguments: { a: 5, b: 5 } }),
    [call('add', { a: 1, b: 2 })],
    { toolsRight: true, argumentsRight: false, right: false },
  ],
  [
    'two in another order',
    expects(sum, { tool: 'add', arguments: { a: 5, b: 5 } }),
    [call('add', { a: 5, b: 5 }), call('add', { a: 1, b: 2 })],
    { right: true, needless: 0 },
  ],
  [
    'one call for two that it fits',
    expects({ tool: 'add' }, { tool: 'add' }),
    [call('add', { a: 1 })],
    { toolsRight: true, right: false },
  ],
  [
    'any call',
    { call: true, calls: [], answerHolds: [] },
    [call('add', {}), call('echo', {})],
    { decisionRight: true, right: true, needless: 0 },
  ],
])('%s', (_, expected, calls, scores) => {
  expect(scored(expected, calls)).toMatchObject(scores);
});

test('calls are given out so that as many as can be are as expected', () => {
  const loose = { tool: 'add', arguments: { a: { ignore: true }, b: { ignore: true } } };
  const { calls } = score(
    expects(loose, sum),
    [call('add', { a: 1, b: 2 }), call('add', { a: 7, b: 7 })],
    { answer: '', ownWords: false },
    matchings.matchers,
  );
  expect(calls.map(({ matches }) => matches)).toEqual([1, 0]);
});

test('what was not asked is not scored', () => {
  const scores = scored(expects({ tool: 'add' }), [call('add', { a: 1 })]);
  expect(scores).not.toHaveProperty('argumentsRight');
  expect(scores).not.toHaveProperty('answerHolds');
  expect(scored(nothing, [])).not.toHaveProperty('toolsRight');
});

test('results that stand in for an answer hold nothing', () => {
  const expected = { ...nothing, answerHolds: ['3'] };
  const ended = { answer: 'Its tools returned:\nadd: 3', ownWords: false };
  expect(score(expected, [], ended, matchings.matchers).scores).toMatchObject({
    empty: true,
    answerHolds: false,
  });
});

test.each<[readonly (string | readonly string[])[], string, boolean]>([
  [['7'], 'It is 7.', true],
  [['7'], '17', false],
  [['7'], '7.5', false],
  [['7'], '1.7', false],
  [['7'], 'It is -7', false],
  [['-35'], 'It is \u221235.', true],
  [['7.5'], 'about 7.5 kg', true],
  [['32768'], 'It is 32,768.', true],
  [['1,2'], '1,2', true],
  [['Enterprise'], 'the ENTERPRISE tier', true],
  [['art'], 'starting', false],
  [['4 May'], 'on 4\u00a0May', true],
  [['a.md'], 'garden/a.md, b.md', true],
  [['hot', 'cold'], 'hot', false],
  [[['hot', 'warm']], 'It is warm', true],
])('%j is held by %j: %j', (facts, answer, right) => {
  expect(holdsAll(facts, answer)).toBe(right);
});

test('rates are counted over what they are rates of, and samples that broke off are in none', () => {
  const turns = [
    { turn: 1, tool: 'add', argumentsText: '{}', valid: true, repeated: false },
    { turn: 1, tool: 'add', argumentsText: '{', valid: false, problem: 'bad_json' as const, repeated: false },
    { turn: 2, tool: 'add', argumentsText: '{}', valid: true, repeated: false },
  ];
  const talk = { tags: ['small-talk'], expected: nothing };
  const { samples, errors, rates, problems, repairs, tokens, total, calls } = metricsOf([
    sample({ calls: turns, repairs: { 'bare-call': 2 }, scores: { malformed: 1, argumentsRight: true } }),
    sample({ right: false, repairs: { echo: 1, 'bare-call': 1 } }),
    sample({ ...talk, calls: [], scores: { decisionRight: true } }),
    sample({ ...talk, scores: { decisionRight: false, right: false, needless: 1 } }),
    sample({ error: { code: 'endpoint_failed', message: 'gone' }, calls: turns }),
  ]);
  expect([samples, errors]).toEqual([4, 1]);
  const counts = Object.fromEntries(
    Object.entries(rates).map(([name, { right, of }]) => [name, [right, of]]),
  );
  expect(counts).toMatchObject({
    schemaValid: [2, 3],
    decision: [2, 4],
    overCalling: [1, 2],
    underCalling: [1, 2],
    smallTalkCalls: [1, 2],
    arguments: [1, 1],
    answerHolds: [0, 0],
  });
  expect(rates.answerHolds.rate).toBeUndefined();
  expect(rates.decision.interval.low).toBeCloseTo(0.15, 2);
  expect(problems).toEqual({ bad_json: 1 });
  expect(Object.entries(repairs)).toEqual([
    ['bare-call', 3],
    ['echo', 1],
  ]);
  expect(calls).toMatchObject({ malformed: 1, needless: 1 });
  expect(tokens.evaluated).toBe(400);
  expect(total).toEqual({ median: 100, p90: 100, sum: 400 });
});
