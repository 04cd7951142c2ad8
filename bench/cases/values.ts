/** JSON of the cases, with what plain JSON cannot say: `{"$int": "123"}` and `{"$repeat": "ab", "times": 3}`. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../parsers/parser.ts';
import { exactJson, exactValue } from '../../src/check/exact.ts';

export function caseValue(json: string): JsonValue {
  const expanded = json
    .replace(/\{"\$int":\s*"(-?\d+)"\}/g, '$1')
    .replace(/\{"\$repeat":\s*("(?:[^"\\]|\\.)*"),\s*"times":\s*(\d+)\}/g, (_, text: string, times: string) =>
      JSON.stringify((JSON.parse(text) as string).repeat(Number(times))),
    );
  return exactValue(expanded);
}

export interface NamedArguments {
  readonly name: string;
  readonly arguments: JsonValue;
}

export function callWrongs(expected: readonly NamedArguments[], read: readonly NamedArguments[]): string[] {
  if (isDeepStrictEqual(expected.map(plain), read.map(plain))) return [];
  return [`calls: expected ${shown(expected)}, read ${shown(read)}`];
}

const plain = (call: NamedArguments) => [call.name, call.arguments];
const shown = (calls: readonly NamedArguments[]) =>
  `[${calls.map(call => `${call.name} ${exactJson(call.arguments)}`).join(', ')}]`;
