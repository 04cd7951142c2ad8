/** JSON values as Python's `json` gives them, for a leaderboard whose rules were written in it: there `5` and `5.0` are of two types. */
import { stringOrNumber } from '../../../parsers/json-text.ts';

export type PyValue = string | number | boolean | null | PyFloat | readonly PyValue[] | PyDict;

/** A number that was written with a point or an exponent. A plain number is an integer. */
export interface PyFloat {
  readonly float: number;
}

export type PyDict = ReadonlyMap<string, PyValue>;

export type PyType = 'str' | 'int' | 'float' | 'bool' | 'NoneType' | 'list' | 'dict';

/** No key of a JSON text that anybody wrote. */
const mark = '\u{10FFFD}float';

/** @throws SyntaxError as `JSON.parse` does. */
export function parsePython(json: string): PyValue {
  return fromJson(JSON.parse(json.replace(stringOrNumber, markFloat)));
}

function markFloat(token: string): string {
  return /^[-\d].*[.eE]/.test(token) ? `{"${mark}":${token}}` : token;
}

function fromJson(value: unknown): PyValue {
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== 'object' || value === null) return value as string | number | boolean | null;
  const float: unknown = Reflect.get(value, mark);
  if (typeof float === 'number') return { float };
  return new Map(Object.entries(value).map(([key, inner]) => [key, fromJson(inner)]));
}

export function typeOf(value: PyValue): PyType {
  if (value === null) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'number') return 'int';
  if (typeof value === 'boolean') return 'bool';
  if (isList(value)) return 'list';
  return isFloat(value) ? 'float' : 'dict';
}

/** Python's `==`: `1`, `1.0` and `True` are equal. */
export function equal(left: PyValue, right: PyValue): boolean {
  const [one, other] = [numberOf(left), numberOf(right)];
  if (one !== undefined || other !== undefined) return one === other;
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((item, index) => equal(item, right[index]!));
  if (isDict(left) && isDict(right))
    return (
      left.size === right.size &&
      [...left].every(([key, item]) => right.has(key) && equal(item, right.get(key)!))
    );
  return left === right;
}

export const isIn = (value: PyValue, values: readonly PyValue[]): boolean =>
  values.some(one => equal(one, value));

export const isList = (value: PyValue | undefined): value is readonly PyValue[] => Array.isArray(value);
export const isDict = (value: PyValue | undefined): value is PyDict => value instanceof Map;

/** For people. */
export function show(value: PyValue): string {
  if (isList(value)) return `[${value.map(show).join(', ')}]`;
  if (isDict(value))
    return `{${[...value].map(([key, inner]) => `${JSON.stringify(key)}: ${show(inner)}`).join(', ')}}`;
  if (isFloat(value)) return Number.isInteger(value.float) ? `${value.float}.0` : String(value.float);
  return JSON.stringify(value);
}

function isFloat(value: PyValue): value is PyFloat {
  return typeof value === 'object' && value !== null && 'float' in value;
}

function numberOf(value: PyValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return isFloat(value) ? value.float : undefined;
}
