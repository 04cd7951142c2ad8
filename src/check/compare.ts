/** What differs between what was read and what was expected. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue, Span } from '../../parsers/parser.ts';
import type { Collected } from '../../parsers/read.ts';
import type { Expected, ExpectedCall, expectedKeys } from './case.ts';
import { exactJson, exactValue } from './exact.ts';

export type ExpectedKey = (typeof expectedKeys)[number];

export interface Difference {
  readonly key: ExpectedKey;
  /** `calls[1].arguments.city` */
  readonly where: string;
  /** As JSON; absent: nothing is there. */
  readonly expected?: string;
  readonly read?: string;
  /** Where in the completion to look, and what is there. */
  readonly notes: readonly Note[];
}

export interface Note {
  readonly span: Span;
  readonly text: string;
}

/** Ends of texts are trimmed, the order of an object's keys is free, repairs are a set; calls and problems have an order. */
export function differences(expected: Expected, read: Collected): Difference[] {
  return [
    ...(expected.calls ? callDifferences(expected.calls, read) : []),
    ...textDifference('content', expected.content, read.content),
    ...textDifference('reasoning', expected.reasoning, read.reasoning),
    ...nameDifference('problems', expected.problems, problemNames(read), problemNotes(read)),
    ...nameDifference(
      'repairs',
      expected.repairs && sortedSet(expected.repairs),
      repairNames(read),
      repairNotes(read),
    ),
  ];
}

export const problemNames = (read: Collected) => read.problems.map(({ problem }) => problem);
export const repairNames = (read: Collected) => sortedSet(read.repaired.map(({ repair }) => repair));

function sortedSet<Name extends string>(names: readonly Name[]): Name[] {
  return [...new Set(names)].sort();
}

function problemNotes({ problems }: Collected): Note[] {
  return problems.map(({ span, problem, name, message }) => ({
    span,
    text: `${problem}${name === undefined ? '' : ` (${name})`}: ${message}`,
  }));
}

function repairNotes({ repaired }: Collected): Note[] {
  return repaired.map(({ span, repair }) => ({ span, text: repair }));
}

interface ReadCall extends ExpectedCall {
  readonly span: Span;
}

function callDifferences(expected: readonly ExpectedCall[], read: Collected): Difference[] {
  const calls = read.ended.map(
    ({ call, span }): ReadCall => ({ name: call.name, arguments: exactValue(call.argumentsText), span }),
  );
  if (calls.length === expected.length)
    return calls.flatMap((call, index) =>
      callDifference(`calls[${index}]`, expected[index] as ExpectedCall, call),
    );
  // What is there twice is compared twice.
  const missing = [...expected];
  const extra = calls.filter(call => {
    const index = missing.findIndex(one => sameCall(one, call));
    if (index >= 0) missing.splice(index, 1);
    return index < 0;
  });
  return [
    ...missing.map(
      (call): Difference => ({
        key: 'calls',
        where: 'calls',
        expected: callJson(call),
        notes: problemNotes(read),
      }),
    ),
    ...extra.map(
      (call): Difference => ({
        key: 'calls',
        where: 'calls',
        read: callJson(call),
        notes: [{ span: call.span, text: call.name }],
      }),
    ),
  ];
}

function sameCall(one: ExpectedCall, other: ExpectedCall): boolean {
  return one.name === other.name && isDeepStrictEqual(one.arguments, other.arguments);
}

function callJson(call: ExpectedCall): string {
  return `${call.name} ${exactJson(call.arguments)}`;
}

function callDifference(where: string, expected: ExpectedCall, read: ReadCall): Difference[] {
  const notes = [{ span: read.span, text: read.name }];
  if (expected.name !== read.name)
    return [{ key: 'calls', where, expected: callJson(expected), read: callJson(read), notes }];
  return valueDifferences(`${where}.arguments`, expected.arguments, read.arguments).map(one => ({
    key: 'calls',
    ...one,
    notes,
  }));
}

type ValueDifference = Pick<Difference, 'where' | 'expected' | 'read'>;

function valueDifferences(
  where: string,
  expected: JsonValue | undefined,
  read: JsonValue | undefined,
): ValueDifference[] {
  if (isDeepStrictEqual(expected, read)) return [];
  if (isObject(expected) && isObject(read)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(read)])];
    return keys.flatMap(key => valueDifferences(`${where}.${key}`, expected[key], read[key]));
  }
  if (Array.isArray(expected) && Array.isArray(read) && expected.length === read.length)
    return expected.flatMap((item, index) => valueDifferences(`${where}[${index}]`, item, read[index]));
  return [
    {
      where,
      ...(expected === undefined ? {} : { expected: exactJson(expected) }),
      ...(read === undefined ? {} : { read: exactJson(read) }),
    },
  ];
}

function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textDifference(
  key: 'content' | 'reasoning',
  expected: string | undefined,
  read: string,
): Difference[] {
  if (expected === undefined || expected.trim() === read.trim()) return [];
  return [
    {
      key,
      where: key,
      expected: JSON.stringify(expected.trim()),
      read: JSON.stringify(read.trim()),
      notes: [],
    },
  ];
}

function nameDifference(
  key: 'problems' | 'repairs',
  expected: readonly string[] | undefined,
  read: readonly string[],
  notes: readonly Note[],
): Difference[] {
  if (expected === undefined || isDeepStrictEqual(expected, read)) return [];
  return [{ key, where: key, expected: JSON.stringify(expected), read: JSON.stringify(read), notes }];
}
