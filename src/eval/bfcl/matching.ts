/**
 * The leaderboard's rules as a way to compare a task's calls: `matching: bfcl`. Each argument of an expected call is the list of its
 * possible values. YAML doesn't tell `5` from `5.0`, and the rules do, so a whole number that was written as a float stands there as
 * `{float: 5}`.
 */
import type { JsonValue } from '../../../parsers/parser.ts';
import { isFields } from '../../../templates/check.ts';
import type { Matching } from '../matching.ts';
import { type BfclExpected, checkCall } from './checker.ts';
import { isDict, isList, type PyValue, parsePython } from './python.ts';

export const bfclMatching: Matching = ({ tool: name, arguments: expected }, { argumentsText }, tool) => {
  if (expected === undefined) return true;
  const args = parsePython(argumentsText);
  const possible: BfclExpected = {
    name,
    arguments: new Map(Object.entries(expected).map(([key, values]) => [key, possibleValues(values)])),
  };
  // The tool is the expected one already, under whatever name it is on offer.
  const call = { name, arguments: isDict(args) ? args : new Map() };
  return checkCall({ ...tool, name }, call, possible) === undefined;
};

function possibleValues(values: JsonValue): readonly PyValue[] {
  const list = isFields(values) && 'exact' in values ? (values.exact as JsonValue) : values;
  const read = fromTask(list);
  return isList(read) ? read : [read];
}

function fromTask(value: JsonValue): PyValue {
  if (Array.isArray(value)) return value.map(fromTask);
  if (typeof value === 'number') return Number.isInteger(value) ? value : { float: value };
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  // A dict of theirs has lists of possible values, and never a number.
  if (members.length === 1 && typeof value.float === 'number') return { float: value.float };
  return new Map(members.map(([key, inner]) => [key, fromTask(inner)]));
}

/** The way back: as a task file has it. */
export function toTask(value: PyValue): JsonValue {
  if (isList(value)) return value.map(toTask);
  if (isDict(value)) return Object.fromEntries([...value].map(([key, inner]) => [key, toTask(inner)]));
  if (typeof value !== 'object' || value === null) return value;
  const { float } = value as { float: number };
  return Number.isInteger(float) ? { float } : float;
}
