/** The questions and the counting of bench/policies.ts: what is right there decides which policy is `auto`. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { ask } from '../../bench/policies/ask.ts';
import { plainQuestions, plainTools } from '../../bench/policies/plain-questions.ts';
import { contender, usualPolicies } from '../../bench/policies/policy-list.ts';
import { practiceQuestions } from '../../bench/policies/practice-questions.ts';
import { holds, type Question, sameCall, stubTools } from '../../bench/policies/question.ts';
import { rememberingEngine } from '../../bench/policies/remember.ts';
import { kindsTable, ratesTable } from '../../bench/policies/table.ts';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import { call } from '../agent/harness.ts';

const ajv = new Ajv2020();
const valid = ({ tools }: Question, name: string, args: unknown) => {
  const tool = tools.find(one => one.name === name);
  return tool !== undefined && ajv.validate(tool.inputSchema, args);
};

describe.each([
  ['practice', practiceQuestions],
  ['plain', plainQuestions],
])('the %s questions', (_, make) => {
  const questions = make(100, 7);
  const share = (is: (question: Question) => boolean) => questions.filter(is).length;

  test('are the same for a seed, others for another one, and more begin with the same', () => {
    expect(make(100, 7)).toEqual(questions);
    expect(make(20, 7)).toEqual(questions.slice(0, 20));
    expect(make(100, 8).map(({ text }) => text)).not.toEqual(questions.map(({ text }) => text));
  });

  test('need no tool, two calls at once or two rounds now and then', () => {
    expect(share(({ rounds }) => rounds.length === 0)).toBeGreaterThanOrEqual(10);
    expect(share(({ rounds }) => rounds.length === 0)).toBeLessThanOrEqual(20);
    expect(share(({ rounds }) => rounds[0]?.length === 2)).toBeGreaterThan(2);
    expect(share(({ rounds }) => rounds.length === 2)).toBeGreaterThan(5);
  });

  test('expect calls that fit the schemas of what is offered', () => {
    const wrong = questions.flatMap(question =>
      question.rounds
        .flat()
        .filter(({ name, arguments: args }) => !valid(question, name, args))
        .map(({ name }) => [question.text, name]),
    );
    expect(wrong).toEqual([]);
  });

  test('of two rounds can’t be answered in one: what the second call needs is in the first one’s result alone', () => {
    for (const { text, rounds } of questions.filter(one => one.rounds.length === 2)) {
      const [first] = rounds[0]!;
      const needed = Object.values(rounds[1]![0]!.arguments).filter(value => !text.includes(String(value)));
      expect(needed).toHaveLength(1);
      expect(first!.result).toContain(needed[0]);
    }
  });

  test('have facts that their own results hold, and that no empty answer does', () => {
    for (const question of questions) {
      const last = question.rounds.at(-1) ?? [];
      const results = last.map(({ result }) => result).join(' ');
      for (const fact of question.facts.filter(one => one !== 'no material')) expect(results).toContain(fact);
      if (question.facts.length > 0) expect(holds(question, '')).toBe(false);
    }
  });

  test('have tools that know their calls and no others', async () => {
    for (const question of questions) {
      const tools = stubTools(question);
      for (const step of question.rounds.flat())
        expect((await tools.call(step.name, step.arguments)).content).toBe(step.result);
      expect(await tools.call('no_such_tool', {})).toMatchObject({ isError: true });
    }
  });
});

const weather: Question = {
  id: 'one',
  kind: 'weather',
  text: 'How warm is it in Oslo?',
  tools: plainTools,
  rounds: [[{ name: 'get_weather', arguments: { city: 'Oslo' }, result: '{"temperature_celsius":7}' }]],
  facts: ['7'],
};

test('calls are compared by what they say', () => {
  const oslo = { name: 'get_weather', arguments: { city: 'Oslo', days: [1, 2] } };
  expect(sameCall(oslo, { name: 'get_weather', arguments: { days: [1, 2], city: 'oslo' } })).toBe(true);
  expect(sameCall(oslo, { name: 'get_weather', arguments: { city: 'Oslo', days: [2, 1] } })).toBe(false);
  expect(sameCall(oslo, { name: 'get_time', arguments: oslo.arguments })).toBe(false);
});

test.each([
  ['It is 7 degrees.', true],
  ['It is cold.', false],
  ['{"temperature_celsius":7}', false],
  ['```json\n{"temperature_celsius":7}\n```', false],
])('an answer holds the results in words: %s', (answer, expected) => {
  expect(holds(weather, answer)).toBe(expected);
});

describe('what is counted', () => {
  const oslo = call('get_weather', { city: 'Oslo' });
  const lima = call('get_weather', { city: 'Lima' });

  async function asked(policy: string, completions: string[], question = weather) {
    const engine = rememberingEngine(recordedEngine(completions));
    const model = rawModel(engine, formatNamed('hermes'));
    return ask({ model, engine, contender: contender(policy), question, maxTokens: 96 });
  }

  test('a right call and an answer', async () => {
    expect(await asked('with-schema', [oslo, 'It is 7 degrees.'])).toMatchObject({
      policy: 'with-schema',
      tools: true,
      right: true,
      needless: 0,
      repeated: 0,
      emptyTurns: 0,
      empty: false,
      holds: true,
      turns: 2,
    });
  });

  test('a wrong call beside the right one', async () => {
    const one = await asked('with-schema', [oslo, lima, 'It is 7 degrees.']);
    expect(one).toMatchObject({ right: false, needless: 1, holds: true });
  });

  test('the same call again, and an answer that is a call', async () => {
    const one = await asked('without-schema/once', [oslo, '{"name": "get_weather", "arguments": {}}']);
    expect(one).toMatchObject({ right: true, emptyTurns: 1, empty: true, holds: false });
    expect(await asked('with-schema', [oslo, oslo, 'It is 7 degrees.'])).toMatchObject({
      repeated: 1,
      right: true,
    });
  });

  test('a call where none is needed', async () => {
    const talk = { ...weather, text: 'Hello!', rounds: [], facts: [] };
    expect(await asked('with-schema', [lima, 'Hello!'], talk)).toMatchObject({ tools: false, needless: 1 });
    expect(await asked('with-schema', ['Hello!'], talk)).toMatchObject({ needless: 0, right: true });
  });

  test('a table says how sure its rates are', async () => {
    const right = await asked('with-schema', [oslo, 'It is 7 degrees.']);
    const wrong = await asked('with-schema', [lima, 'It is cold.']);
    const [head, , row] = ratesTable([right, wrong]).split('\n');
    expect(head).toContain('| policy | right calls |');
    expect(row).toContain('| `with-schema` | 1 of 2: **50 %** (9–91) | – |');
    expect(kindsTable([right, wrong], ['with-schema', 'without-schema']).split('\n')).toEqual([
      '| right calls / answers that hold the results | `with-schema` |',
      '| --- | --- |',
      '| weather | 1 / 1 of 2 |',
    ]);
  });
});

test('what was generated is not generated again, and counts as it did', async () => {
  const inner = recordedEngine(['One.', 'Two.']);
  const engine = rememberingEngine(inner);
  const said = async (text: string, maxTokens = 8) => {
    const generation = engine.generate([{ text, origin: 'user' }], { maxTokens });
    let words = '';
    for await (const piece of generation) words += piece.text;
    return [words, generation.reason, generation.usage.generated];
  };
  expect(await said('a')).toEqual(['One.', 'stop', 1]);
  expect(await said('a')).toEqual(['One.', 'stop', 1]);
  expect(await said('a', 9)).toEqual(['Two.', 'stop', 1]);
  expect(inner.prompts).toHaveLength(2);
});

test('policies by their names', () => {
  expect(usualPolicies.map(name => contender(name).name)).toEqual(usualPolicies);
  expect(contender('question-and-data/once+calls+signature')).toMatchObject({
    policy: { answerTurn: 'question-and-data', rounds: 'once' },
    constrain: 'calls',
    schemaForm: 'signature',
  });
  for (const name of ['', 'with-schema/twice', 'with-schema+sometimes', 'schema'])
    expect(() => contender(name)).toThrow(/is no policy/);
});
