/** Ids that models write: they are the calls' own where they can be, and are always told. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kimiCallId, kimiK2 } from '../../parsers/kimi-k2.ts';
import { mistral, mistralV3 } from '../../parsers/mistral.ts';
import { mistralCallId } from '../../parsers/mistral-id.ts';
import type { ParseEvent } from '../../parsers/parser.ts';
import { readCompletion } from '../../parsers/read.ts';
import { tools } from './tools.ts';

const kimi = (id: string, args = '{"title": "Emma"}') =>
  `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${args}<|tool_call_end|>`;
const section = (...calls: string[]) =>
  `<|tool_calls_section_begin|>${calls.join('')}<|tool_calls_section_end|>`;
const ids = (events: readonly ParseEvent[]) =>
  events.flatMap(event => (event.type === 'call-end' ? [[event.call.id, event.call.writtenId]] : []));

test('an id before the arguments is the call’s from its first event on', () => {
  const { calls, events } = readCompletion(kimiK2, section(kimi('functions.find_book:7')), { tools });
  expect(calls[0]).toMatchObject({ id: 'functions.find_book:7', writtenId: 'functions.find_book:7' });
  expect(events[0]).toMatchObject({ type: 'call-start', id: 'functions.find_book:7' });
  const { calls: small } = readCompletion(
    mistral,
    '[TOOL_CALLS]find_book[CALL_ID]q8Zt0pLm2[ARGS]{"title": "Emma"}',
  );
  expect(small[0]).toMatchObject({ id: 'q8Zt0pLm2', writtenId: 'q8Zt0pLm2' });
});

test('an id behind the arguments comes too late and is told beside the call’s own', () => {
  const text = '[TOOL_CALLS] [{"name": "find_book", "arguments": {"title": "Emma"}, "id": "q8Zt0pLm2"}]';
  expect(readCompletion(mistralV3, text, { callId: index => `own_${index}` }).calls[0]).toMatchObject({
    id: 'own_0',
    writtenId: 'q8Zt0pLm2',
  });
});

test('an id that another call of the reply has is not given again', () => {
  const one = kimi('functions.find_book:0');
  const { events } = readCompletion(kimiK2, section(one, one, one), { callId: () => 'mine' });
  expect(ids(events)).toEqual([
    ['functions.find_book:0', 'functions.find_book:0'],
    ['mine', 'functions.find_book:0'],
    ['mine_', 'functions.find_book:0'],
  ]);
  const last = readCompletion(mistral, '[TOOL_CALLS]f[CALL_ID]call_2[ARGS]{}[TOOL_CALLS]g[ARGS]{}');
  expect(last.calls.map(call => call.id)).toEqual(['call_2', 'call_2_']);
});

test('a call that fails tells its id too', () => {
  const { problems } = readCompletion(kimiK2, section(kimi('functions.shred:3')), { tools });
  expect(problems[0]).toMatchObject({
    problem: 'unknown_tool',
    id: 'functions.shred:3',
    writtenId: 'functions.shred:3',
  });
});

test('a draft’s id is free again', () => {
  const fenced = `\`\`\`\n${section(kimi('functions.find_book:0'))}\n\`\`\` or so: `;
  const { calls } = readCompletion(kimiK2, fenced + section(kimi('functions.find_book:0')), { tools });
  expect(calls.map(call => call.id)).toEqual(['functions.find_book:0']);
});

test('Mistral’s ids: its own are kept, all others become nine letters and digits, each its own', () => {
  expect(mistralCallId({ id: 'q8Zt0pLm2' })).toBe('q8Zt0pLm2');
  expect(mistralCallId({ id: 'call_1', writtenId: 'q8Zt0pLm2' })).toBe('q8Zt0pLm2');
  expect(mistralCallId({ id: 'call_1' })).toBe(
    mistralCallId({ id: 'call_1', writtenId: 'too_long_for_one' }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), id => {
      expect(mistralCallId({ id })).toMatch(/^[A-Za-z0-9]{9}$/);
    }),
  );
  const counted = Array.from({ length: 20_000 }, (_, at) => [
    `call_${at}`,
    `call-${at}`,
    `functions.f:${at}`,
  ]);
  const mapped = new Set(counted.flat().map(id => mistralCallId({ id })));
  expect(mapped.size).toBe(60_000);
});

test('Kimi’s ids: its own are kept, all others say the name and the number', () => {
  expect(kimiCallId({ id: 'functions.a.b:12', name: 'a.b' }, 3)).toBe('functions.a.b:12');
  expect(kimiCallId({ id: 'call_1', name: 'a.b' }, 3)).toBe('functions.a.b:3');
  expect(kimiCallId({ id: 'functions.a b:1', name: 'a' }, 0)).toBe('functions.a:0');
});
