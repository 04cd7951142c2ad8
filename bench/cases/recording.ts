/** A recording: a completion of a real model without its tools, and the calls that Python's own reader finds in it. */
import type { JsonValue } from '../../parsers/parser.ts';
import type { CompletionCase } from '../../src/check/case.ts';
import type { CaseResult } from '../../src/check/check-case.ts';
import { exactValue } from '../../src/check/exact.ts';
import { callWrongs } from './values.ts';

export function recordingOf(line: string): CompletionCase {
  const { id, completion } = JSON.parse(line) as { readonly id: string; readonly completion: string };
  return { id, completion: [{ text: completion }], inPieces: false };
}

export function recordingWrongs(line: string, { read }: CaseResult): string[] {
  const { expected } = exactValue(line) as unknown as { expected: [name: string, args: JsonValue][] };
  return callWrongs(
    expected.map(([name, args]) => ({ name, arguments: args })),
    read.ended.map(({ call }) => ({ name: call.name, arguments: exactValue(call.argumentsText) })),
  );
}
