/** Results are tied to calls by their order alone, so the order is made right or refused. */
import { expect, test } from 'vitest';
import { RawcallError } from '../../parsers/error.ts';
import type { Message } from '../../templates/template.ts';
import { lastUserTurn, toTurns } from '../../templates/turns.ts';

const user: Message = { role: 'user', content: 'q' };
const calls = (...ids: string[]): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map(id => ({ id, name: `tool_${id}`, arguments: {}, argumentsText: '{}' })),
});
const result = (callId: string): Message => ({
  role: 'tool',
  callId,
  name: `tool_${callId}`,
  content: callId,
});
const contents = (messages: Message[]) =>
  toTurns(messages).flatMap(turn => (turn.role === 'results' ? [turn.results.map(one => one.content)] : []));
const missing = 'No result: this call was not answered.';

test('results stand in the order of their calls', () => {
  expect(contents([user, calls('a', 'b', 'c'), result('c'), result('a'), result('b')])).toEqual([
    ['a', 'b', 'c'],
  ]);
});

test('a call that was not answered gets a stand-in, marked as an error', () => {
  expect(contents([user, calls('a', 'b'), result('b')])).toEqual([[missing, 'b']]);
  const turns = toTurns([user, calls('a'), user]);
  expect(turns[2]).toMatchObject({
    results: [{ callId: 'a', name: 'tool_a', content: missing, isError: true }],
  });
});

test('calls at the end are still to be answered', () => {
  expect(toTurns([user, calls('a')])).toHaveLength(2);
});

test.each<[string, Message[], number, string]>([
  ['without any call', [user, result('a')], 1, 'makes no call'],
  ['of another call', [user, calls('b', 'c'), result('a')], 2, 'b, c'],
  ['a second time', [user, calls('a'), result('a'), result('a')], 3, 'its calls are a'],
  ['after another message', [user, calls('a'), user, result('a')], 3, 'makes no call'],
])('a result %s is refused with its place', (_, messages, index, words) => {
  try {
    toTurns(messages);
    expect.unreachable();
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    expect(error.code).toBe('unmatched_tool_result');
    expect(error.details).toEqual({ index, callId: 'a' });
    expect(error.message).toContain(`messages[${index}]`);
    expect(error.message).toContain(words);
  }
});

test('the last user turn opens the exchange in progress', () => {
  expect(lastUserTurn(toTurns([user, calls('a'), result('a')]))).toBe(0);
  expect(lastUserTurn([])).toBe(-1);
});
