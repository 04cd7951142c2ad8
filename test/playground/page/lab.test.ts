/** What the lab and the recorded runs make of events and prompts, before anything is drawn. */
import { describe, expect, test } from 'vitest';
import type { ParseEvent } from '../../../parsers/parser.ts';
import { readCompletion } from '../../../parsers/read.ts';
import { formatNamed, formats } from '../../../src/format.ts';
import { inWords } from '../../../src/playground/page/lab/in-words.ts';
import { eventWords, readSoFar } from '../../../src/playground/page/lab/read-so-far.ts';
import { stepsOf } from '../../../src/playground/page/runs/steps.ts';
import type { RecordedRuns } from '../../../src/playground/runs/runs-protocol.ts';
import type { TranscriptEntry } from '../../../src/transcript/transcript.ts';
import type { Prompt } from '../../../templates/template.ts';

const parser = formatNamed('hermes').parser;
const written =
  'Well.<tool_call>{"name": "add", "arguments": {"a": 12345678901234567890}}</tool_call><tool_call>{"name": 3}</tool_call>';

describe('what is read up to a step', () => {
  const { events } = readCompletion(
    parser,
    [...written].map(text => ({ text })),
  );

  test('grows, and at the end is what the completion comes to', () => {
    const all = readSoFar(events);
    expect(all.content).toBe('Well.');
    expect(all.calls).toEqual([{ name: 'add', argumentsText: '{"a":12345678901234567890}', state: 'whole' }]);
    expect(all.problems.map(({ problem }) => problem)).toEqual(['missing_name']);
    let text = '';
    for (let count = 0; count <= events.length; count++) {
      const [call] = readSoFar(events.slice(0, count)).calls;
      if (!call) continue;
      expect(call.argumentsText.startsWith(text)).toBe(true);
      text = call.argumentsText;
    }
    expect(text).toContain('12345678901234567890');
  });

  test('a call that was begun and fails is not taken for one that goes on', () => {
    const cut = readCompletion(parser, written.slice(0, 60), {}, 'length').events;
    expect(readSoFar(cut).calls).toMatchObject([{ name: 'add', state: 'failed' }]);
  });

  test('each event has its words, and deltas of one text are one', () => {
    const deltas: ParseEvent[] = ['a', 'b'].map(text => ({ type: 'text-delta', text }));
    expect(eventWords([...deltas, { type: 'reasoning-delta', text: 'c' }])).toEqual([
      'text "ab"',
      'thought "c"',
    ]);
    const words = eventWords(events);
    expect(words).toContain('a call of add begins');
    expect(words).toContain('the call of add is whole');
    expect(words.at(-1)).toMatch(/^problem /);
  });
});

test('a prompt in words is the same prompt, in parts that no line break lies in', () => {
  const content = 'A\tb  c\r\n\n漢字 😀é \ud83d naïve_x: "q"';
  for (const { template } of formats) {
    const prompt = template.render({ messages: [{ role: 'user', content }], tools: [] });
    const words = inWords(prompt);
    const textOf = (one: Prompt) =>
      one.map(piece => ('control' in piece ? `⟦${piece.control}⟧` : piece.text)).join('');
    expect(textOf(words)).toBe(textOf(prompt));
    for (const piece of words)
      if ('text' in piece) expect(piece.text === '\n' || !piece.text.includes('\n')).toBe(true);
  }
});

describe('the steps of a recording', () => {
  const callOf = (id: string, name = 'add') => ({ id, name, arguments: {}, argumentsText: '{}' });
  const result = (content: string, isError = false) => ({ content, isError });
  const steps = (entries: readonly TranscriptEntry[]) =>
    stepsOf({ entries: entries.map((entry, at) => ({ ...entry, line: at + 2 })) } satisfies Pick<
      RecordedRuns,
      'entries'
    >);
  const at = 0;

  test('a call that is asked about, runs and gives is one step, in the place where it began', () => {
    const made = steps([
      { type: 'approval-end', call: callOf('1'), allowed: true, at },
      { type: 'tool-start', call: callOf('1'), at },
      { type: 'tool-start', call: callOf('2'), at },
      { type: 'tool-end', call: callOf('2'), result: result('two'), source: 'tool', at },
      {
        type: 'tool-end',
        call: callOf('1'),
        result: result('one'),
        source: 'tool',
        whole: 'one and all',
        at,
      },
    ]);
    expect(made).toMatchObject([
      { kind: 'call', line: 2, approval: 'It was allowed.', result: result('one'), whole: 'one and all' },
      { kind: 'call', line: 4, result: result('two') },
    ]);
  });

  test('a refusal has its reason, and calls of one id are told apart', () => {
    const made = steps([
      { type: 'approval-end', call: callOf('1'), allowed: false, reason: 'not now', at },
      { type: 'tool-end', call: callOf('1'), result: result('refused', true), source: 'rejection', at },
      { type: 'tool-end', call: callOf('1'), result: result('again'), source: 'repeat', at },
    ]);
    expect(made).toHaveLength(2);
    expect(made[0]).toMatchObject({ approval: 'It was refused: not now', source: 'rejection' });
    expect(made[1]).toMatchObject({ result: result('again'), source: 'repeat' });
  });

  test('prompts are whole again, and a turn that failed has no completion', () => {
    const piece = (text: string) => ({ text, origin: 'user' as const });
    const turn = { type: 'turn-start', purpose: 'decision', lane: '', at } as const;
    const made = steps([
      { ...turn, prompt: { keep: 0, add: [piece('a')] } },
      { type: 'completion-end', pieces: [{ text: 'x' }], reason: 'stop', at },
      { type: 'usage', prompt: 1, reused: 0, evaluated: 1, generated: 1, at },
      { ...turn, prompt: { keep: 1, add: [piece('b')] } },
      { type: 'turn-failed', code: 'engine_closed', message: 'gone', at },
      { type: 'measure', of: 'text', tokens: 3, at },
    ]);
    expect(made).toMatchObject([
      {
        kind: 'turn',
        number: 1,
        prompt: [piece('a')],
        completion: { reason: 'stop' },
        usage: [{ generated: 1 }],
      },
      { kind: 'turn', number: 2, prompt: [piece('a'), piece('b')] },
      { kind: 'note', bad: true, text: 'engine_closed: gone' },
    ]);
    expect(made[1]).not.toHaveProperty('completion');
  });
});
