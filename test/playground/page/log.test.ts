/** A dialogue as it is shown, made of events as the server sends them. */
import { expect, test } from 'vitest';
import type { ToolCall } from '../../../parsers/parser.ts';
import type { CallItem, Item } from '../../../src/playground/page/chat/items.ts';
import { createDialogueLog, type Exchange } from '../../../src/playground/page/chat/log.ts';
import type { LogEvent, PlayEvent, RunEvent } from '../../../src/playground/protocol.ts';

const call: ToolCall = { id: 'c1', name: 'add', arguments: { a: 1 }, argumentsText: '{"a": 1}' };
const policy = { answerTurn: 'with-schema', rounds: 'until-done' } as const;
const begin: (LogEvent | RunEvent)[] = [
  { type: 'asked', question: 'What?', knobs: { temperature: 0 } },
  { type: 'run-start', question: 'What?', policy },
  { type: 'turn-start', turn: 1, purpose: 'decision', tokens: 12 },
];
const written: RunEvent[] = [
  { type: 'call-start', index: 0, id: 'c1', name: 'add' },
  { type: 'call-delta', index: 0, argumentsText: '{"a"' },
  { type: 'call-delta', index: 0, argumentsText: ': 1}' },
];
const read: RunEvent = { type: 'call-end', index: 0, call, span: { start: 0, end: 9 } };
const end: RunEvent = {
  type: 'run-end',
  reason: 'answered',
  answer: 'Two.',
  turns: 2,
  toolRuns: 1,
  repeats: 0,
  unasked: 0,
};

const numbered = (events: readonly (LogEvent | RunEvent)[], from = 0): PlayEvent[] =>
  events.map((event, at) => ({ seq: from + at, at: 0, ...event }));

function shown(...events: readonly (LogEvent | RunEvent)[]) {
  const log = createDialogueLog();
  for (const event of numbered(events)) log.apply(event);
  return log;
}

const itemsOf = (exchange: Exchange | undefined): readonly Item[] => exchange!.items.value;
const callOf = (exchange: Exchange | undefined) =>
  itemsOf(exchange).find((item): item is CallItem => item.kind === 'call')!;

test('a call grows while it is written', () => {
  const log = shown(...begin, ...written.slice(0, 2));
  const [exchange] = log.exchanges.value;
  const item = callOf(exchange);
  expect(item.argumentsText.value).toBe('{"a"');
  expect(item.state.value.phase).toBe('writing');
  const before = itemsOf(exchange);
  for (const event of numbered(written.slice(2), log.next)) log.apply(event);
  expect(item.argumentsText.value).toBe('{"a": 1}');
  // A token draws its text, and nothing around it.
  expect(itemsOf(exchange)).toBe(before);
  expect(log.running.value).toBe(true);
});

test('approval, progress and result are told of the call they are for', () => {
  const log = shown(...begin, ...written, read, {
    type: 'approval-start',
    ask: 'a1',
    call,
    server: 's',
    tool: 't',
  });
  const phases = [callOf(log.exchanges.value[0]).state.value.phase];
  const more: RunEvent[] = [
    { type: 'approval-end', call, allowed: true },
    { type: 'tool-start', call },
    { type: 'tool-progress', call, progress: 1, total: 2 },
    { type: 'tool-end', call, result: { content: '2', isError: false }, source: 'tool' },
    end,
  ];
  for (const event of numbered(more, log.next)) {
    log.apply(event);
    phases.push(callOf(log.exchanges.value[0]).state.value.phase);
  }
  expect(phases).toEqual(['asking', 'written', 'running', 'running', 'ended', 'ended']);
  expect(log.running.value).toBe(false);
});

test('a rejection keeps its reason when the model is told of it', () => {
  const log = shown(
    ...begin,
    ...written,
    read,
    { type: 'approval-end', call, allowed: false, reason: 'not now' },
    { type: 'tool-end', call, result: { content: 'refused', isError: true }, source: 'rejection' },
  );
  expect(callOf(log.exchanges.value[0]).state.value).toMatchObject({ phase: 'rejected', reason: 'not now' });
});

test('what a run left open is stopped with it', () => {
  const log = shown(
    ...begin,
    ...written,
    { type: 'elicitation-start', ask: 'a2', server: 's', mode: 'url', message: 'm', url: 'https://x.test/' },
    { ...end, reason: 'aborted', answer: '' },
  );
  const [exchange] = log.exchanges.value;
  expect(callOf(exchange).state.value.phase).toBe('stopped');
  expect(itemsOf(exchange).at(-1)).toMatchObject({ kind: 'elicitation' });
  expect((itemsOf(exchange).at(-1) as { state: { value: unknown } }).state.value).toEqual({
    phase: 'closed',
  });
});

test('what a decision said stands back behind the answer turn', () => {
  const log = shown(
    ...begin,
    { type: 'text-delta', text: 'I ' },
    { type: 'text-delta', text: 'think.' },
    { type: 'turn-start', turn: 2, purpose: 'answer' },
    { type: 'text-delta', text: 'Two.' },
    end,
  );
  const texts = itemsOf(log.exchanges.value[0]).flatMap(item =>
    item.kind === 'text' ? [[item.text.value, item.superseded.value]] : [],
  );
  expect(texts).toEqual([
    ['I think.', true],
    ['Two.', false],
  ]);
});

test('a call that could not be read has its problem and its raw text', () => {
  const log = shown(...begin, ...written.slice(0, 2), {
    type: 'call-failed',
    index: 0,
    id: 'c1',
    problem: 'truncated',
    raw: '{"a"',
    span: { start: 0, end: 4 },
    message: 'The call was cut.',
  });
  expect(callOf(log.exchanges.value[0]).state.value).toEqual({
    phase: 'unreadable',
    problem: 'truncated',
    message: 'The call was cut.',
    raw: '{"a"',
  });
});

test('an edit cuts off what it stands in place of, and events that come twice count once', () => {
  const events = numbered([
    ...begin,
    end,
    { type: 'asked', question: 'And?', knobs: {} },
    { type: 'run-failed', code: 'x', message: 'y' },
    { type: 'rewound', to: 4 },
    { type: 'asked', question: 'Or?', knobs: {} },
  ]);
  const log = createDialogueLog();
  for (const event of [...events, ...events.slice(2)]) log.apply(event);
  expect(log.exchanges.value.map(({ question }) => question)).toEqual(['What?', 'Or?']);
  expect(log.next).toBe(events.length);
  expect(log.turns.value.map(({ turn }) => turn)).toEqual([1]);
});
