import { expect, test } from 'vitest';
import { autoPolicy } from '../../src/agent/auto-policy.ts';
import { scripted, scriptedTools } from './harness.ts';

test.each([
  ['the practice model', 2_448_000, 'with-schema', 'until-done', {}, /2\.4 million/],
  ['SmolLM2 135M', 134_515_008, 'question-and-data', 'once', { furtherCalls: true }, /130 million/],
  ['Qwen2.5-Coder 0.5B', 630_167_424, 'question-and-data', 'once', { furtherCalls: true }, /630 million/],
  ['one of 1 billion', 1e9, 'with-schema', 'until-done', {}, /1 billion/],
  ['one of 7 billion', 7.24e9, 'with-schema', 'until-done', {}, /7\.2 billion/],
])('%s', (_, parameters, answerTurn, rounds, further, reason) => {
  expect(autoPolicy({ parameters })).toEqual({
    answerTurn,
    rounds,
    ...further,
    reason: expect.stringMatching(reason),
  });
});

const small = { parameters: 5e8 };
const large = { parameters: 7e9 };

test('what was chosen is kept, and needs no reason', () => {
  const chosen = { answerTurn: 'without-schema', rounds: 'until-done' } as const;
  expect(autoPolicy(small, chosen)).toEqual(chosen);
  expect(autoPolicy(large, chosen)).toEqual(chosen);
});

test('what was left open goes with what was chosen', () => {
  expect(autoPolicy(small, { rounds: 'until-done' })).toMatchObject({
    answerTurn: 'question-and-data',
    rounds: 'until-done',
  });
  expect(autoPolicy(small, { answerTurn: 'without-schema' })).toMatchObject({ rounds: 'once' });
  expect(autoPolicy(small, { answerTurn: 'with-schema', rounds: 'auto' })).toEqual({
    answerTurn: 'with-schema',
    rounds: 'until-done',
    furtherCalls: true,
  });
  expect(autoPolicy(large, { answerTurn: 'auto', rounds: 'once' })).toMatchObject({
    answerTurn: 'with-schema',
    rounds: 'once',
  });
});

test('a run begins by telling its policy, and why', async () => {
  const policy = autoPolicy(small);
  const { ask } = scripted(['Hello!'], scriptedTools({}), { policy: { ...policy, schema: 'user' } });
  const { events } = await ask('Hi');
  expect(events[0]).toEqual({ type: 'run-start', question: 'Hi', policy });
});

test('unless told otherwise it is with the schemas, until done', async () => {
  const { events } = await scripted(['Hello!'], scriptedTools({})).ask('Hi');
  expect(events[0]).toMatchObject({ policy: { answerTurn: 'with-schema', rounds: 'until-done' } });
});
