/** What was read is found again in the completion, over all that the formats' fixtures hold. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ParseEvent, Piece } from '../../../parsers/parser.ts';
import { readCompletion } from '../../../parsers/read.ts';
import { caseReader } from '../../../src/check/case.ts';
import { caseReading, parserOf } from '../../../src/check/check-case.ts';
import { formatNamed } from '../../../src/format.ts';
import { readSpans } from '../../../src/playground/read-spans.ts';

const folder = path.join(import.meta.dirname, '../../formats');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
  name.endsWith('completions.jsonl'),
);

test.each(files)('%s: texts and thoughts are where they were read', name => {
  const file = path.join(folder, name);
  const read = caseReader(file);
  for (const [at, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const one = read(line, at + 1);
    if (!one) continue;
    const events = caseReading(one, parserOf(formatNamed(one.format ?? '')))(one.completion);
    expect({ id: one.id, ...found(one.completion, events) }).toEqual({ id: one.id, ...said(events) });
  }
});

function said(events: readonly ParseEvent[]) {
  const joined = (type: ParseEvent['type']) =>
    events.map(event => ('text' in event && event.type === type ? event.text : '')).join('');
  return { text: joined('text-delta'), reasoning: joined('reasoning-delta') };
}

function found(pieces: readonly Piece[], events: readonly ParseEvent[]) {
  const all = pieces.map(({ text }) => text).join('');
  const spans = readSpans(pieces, events);
  const joined = (kind: 'text' | 'reasoning') =>
    spans.map(({ kind: is, span }) => (is === kind ? all.slice(span.start, span.end) : '')).join('');
  return { text: joined('text'), reasoning: joined('reasoning') };
}

test('a short text is not found in the marks around it', () => {
  const pieces = [
    { text: '<think>', control: true },
    { text: 't' },
    { text: '</think>', control: true },
    { text: 'think' },
    { text: '<tool_call>', control: true },
    { text: '{"name": "think", "arguments": {}}' },
    { text: '</tool_call>', control: true },
    { text: ' it' },
  ];
  const { parser } = formatNamed('qwen');
  const controlTokens = new Set(pieces.flatMap(({ text, control }) => (control ? [text] : [])));
  const { events } = readCompletion(parser, pieces, { controlTokens });
  expect(readSpans(pieces, events).map(({ kind, span }) => [kind, span.start, span.end])).toEqual([
    ['reasoning', 7, 8],
    ['text', 16, 21],
    ['call', 21, 78],
    ['text', 79, 81],
  ]);
});

test('what is left out of a text lies between two parts of it', () => {
  const text = 'One.</tool_call>Two.';
  const { events } = readCompletion(formatNamed('hermes').parser, text);
  const spans = readSpans([{ text }], events);
  expect(spans.map(({ kind, span }) => [kind, text.slice(span.start, span.end)])).toEqual([
    ['text', 'One.'],
    ['repair', '</tool_call>'],
    ['text', 'Two.'],
  ]);
});

test('a text that is not there has no place, and those behind it keep theirs', () => {
  const spans = readSpans(
    [{ text: 'ab' }],
    [
      { type: 'text-delta', text: 'x' },
      { type: 'reasoning-delta', text: 'b' },
    ],
  );
  expect(spans).toEqual([{ kind: 'reasoning', span: { start: 1, end: 2 } }]);
});
