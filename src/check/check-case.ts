/** Reads one case in every way of cutting it, and compares what comes out with what was expected. */
import type { ParseEvent, Parser, Piece, ReadingContext } from '../../parsers/parser.ts';
import { type Collected, createCollector } from '../../parsers/read.ts';
import type { Format } from '../format.ts';
import type { CompletionCase } from './case.ts';
import { type Difference, differences } from './compare.ts';
import { cut, joined, randomFrom, type Split, splitsOf } from './splits.ts';

/** What a case is read with. */
export interface CaseParser {
  readonly parser: Parser;
  readonly stops?: readonly string[];
  /** Of the vocabulary; they count where a completion comes in pieces. */
  readonly controlTokens?: readonly string[];
}

export interface CaseResult {
  /** The completion's text, which the spans are of. */
  readonly text: string;
  readonly read: Collected;
  readonly differences: readonly Difference[];
  /** The first split that reads otherwise than the whole. */
  readonly disagreement?: Disagreement;
}

export interface Disagreement {
  readonly split: Split;
  /** The first event that differs; undefined where there is none any more. */
  readonly whole: ParseEvent | undefined;
  readonly cut: ParseEvent | undefined;
}

export function parserOf({ parser, template }: Format): CaseParser {
  return { parser, stops: template.stops, controlTokens: template.controlTokens };
}

export function checkCase(one: CompletionCase, reader: CaseParser, seed: number): CaseResult {
  const pieces = joined(one.completion);
  const text = pieces.map(piece => piece.text).join('');
  const read = caseReading(one, reader);
  const whole = read(pieces);
  const collector = createCollector();
  collector.add(whole);
  const { collected } = collector;
  const disagreement = disagreementOf(text, seed, whole, places => read(cut(pieces, places)));
  return {
    text,
    read: collected,
    differences: one.expected ? differences(one.expected, collected) : [],
    ...(disagreement ? { disagreement } : {}),
  };
}

/** Reads pieces of a completion as the case says, each time from the start. */
export function caseReading(
  one: CompletionCase,
  reader: CaseParser,
): (pieces: readonly Piece[]) => readonly ParseEvent[] {
  const context = contextOf(one, reader);
  const { reason = 'stop' } = one;
  return pieces => {
    const reading = reader.parser.start(context);
    const events: ParseEvent[] = [];
    for (const piece of pieces) addMerged(events, reading.push(piece));
    addMerged(events, reading.end(reason));
    return events;
  };
}

function contextOf(one: CompletionCase, { stops, controlTokens }: CaseParser): ReadingContext {
  const { tools, prefill, bareCalls } = one;
  return {
    ...(tools ? { tools } : {}),
    ...(prefill === undefined ? {} : { prefill }),
    ...(bareCalls ? { bareCalls } : {}),
    ...(stops ? { stops } : {}),
    ...(one.inPieces && controlTokens ? { controlTokens: new Set(controlTokens) } : {}),
  };
}

function disagreementOf(
  text: string,
  seed: number,
  whole: readonly ParseEvent[],
  readCut: (places: readonly number[]) => readonly ParseEvent[],
): Disagreement | undefined {
  const same = JSON.stringify(whole);
  for (const split of splitsOf(text.length, randomFrom(seed, text))) {
    const events = readCut(split.places);
    if (JSON.stringify(events) === same) continue;
    const index = events.findIndex((event, at) => JSON.stringify(event) !== JSON.stringify(whole[at]));
    const at = index < 0 ? events.length : index;
    return { split, whole: whole[at], cut: events[at] };
  }
  return undefined;
}

/** Neighbouring deltas of one kind as one: where they are cut is the only thing that pieces may change. */
export function addMerged(into: ParseEvent[], events: readonly ParseEvent[]): void {
  for (const event of events) {
    const last = into.at(-1);
    if (event.type === 'call-delta' && last?.type === 'call-delta' && last.index === event.index)
      into[into.length - 1] = { ...last, argumentsText: last.argumentsText + event.argumentsText };
    else if ((event.type === 'text-delta' || event.type === 'reasoning-delta') && last?.type === event.type)
      into[into.length - 1] = { ...last, text: last.text + event.text };
    else into.push(event);
  }
}
