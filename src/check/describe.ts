/** What is wrong with a case, in words: what was expected, what was read, and where in the completion. */
import type { ParseEvent, Span } from '../../parsers/parser.ts';
import { placeAt } from '../json-place.ts';
import type { CheckedCase } from './check-file.ts';
import type { Difference } from './compare.ts';

const width = 100;
const shownNotes = 8;
const shownDifferences = 20;

export function describeFailure(one: CheckedCase): string {
  const { differences, disagreement, text } = one;
  const shown = differences.slice(0, shownDifferences).flatMap(each => differenceLines(each, text));
  const more = differences.length - shownDifferences;
  return [
    `${one.file}:${one.line}  ${one.id}  (${one.format})`,
    ...(disagreement ? disagreementLines(one) : []),
    ...shown,
    ...(more > 0 ? [`  and ${more} more differences`] : []),
  ].join('\n');
}

function differenceLines({ where, expected, read, notes }: Difference, text: string): string[] {
  const [left, right] = excerpts(expected, read);
  return [
    `  ${where}`,
    `    expected  ${left}`,
    `    read      ${right}`,
    ...notes.slice(0, shownNotes).flatMap(note => spanLines(text, note.span, note.text)),
  ];
}

function disagreementLines({ disagreement, text, seed }: CheckedCase): string[] {
  if (!disagreement) return [];
  const { split, whole, cut } = disagreement;
  const [left, right] = excerpts(eventText(whole), eventText(cut));
  const [place = 0] = split.places;
  const only = split.places.length === 1;
  return [
    `  the splits disagree: whole, and cut ${split.way}${only ? ` at offset ${place}` : ''} (--seed ${seed})`,
    `    whole     ${left}`,
    `    cut       ${right}`,
    ...(only ? spanLines(text, { start: place, end: place }, 'the cut') : []),
  ];
}

function eventText(event: ParseEvent | undefined): string | undefined {
  return event && JSON.stringify(event);
}

/** Two texts from where they begin to differ, cut to a line's length. */
function excerpts(left: string | undefined, right: string | undefined): [string, string] {
  const nothing = 'nothing';
  if (left === undefined || right === undefined)
    return [clipped(left ?? nothing, 0), clipped(right ?? nothing, 0)];
  let same = 0;
  while (same < left.length && left[same] === right[same]) same++;
  const from = Math.max(left.length, right.length) <= width ? 0 : Math.max(0, same - width / 2);
  return [clipped(left, from), clipped(right, from)];
}

function clipped(text: string, from: number): string {
  const end = from + width;
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`;
}

/** The line of the completion that the span begins in, and a mark under what of it is in the span. */
function spanLines(text: string, { start, end }: Span, what: string): string[] {
  const { line, column } = placeAt(text, start);
  const lineStart = start - column + 1;
  const lineBreak = text.indexOf('\n', start);
  const lineEnd = lineBreak < 0 ? text.length : lineBreak;
  const from = Math.max(lineStart, Math.min(start - 40, lineEnd - width));
  const to = Math.min(lineEnd, from + width);
  const marked = Math.max(1, Math.min(end, to) - start);
  return [
    `    ${line}:${column} ${what}`,
    `      ${from > lineStart ? '…' : ' '}${oneColumnEach(text.slice(from, to))}${to < lineEnd ? '…' : ''}`,
    `      ${' '.repeat(start - from + 1)}^${'~'.repeat(marked - 1)}`,
  ];
}

/** Control characters as their pictures, so that the mark stands where it should. */
function oneColumnEach(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, character =>
    character === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
  );
}
