/**
 * The matching rules of the Berkeley Function-Calling Leaderboard, with all their oddities, so that a rate of ours can stand beside
 * theirs (scripts/bfcl-agreement.ts compares the two). An expected call lists the possible values of each argument.
 *
 * | of a call                                   | it counts                                                                 |
 * | ------------------------------------------- | ------------------------------------------------------------------------- |
 * | several calls                               | in any order, as many as are expected                                     |
 * | an argument that isn't expected             | as wrong                                                                  |
 * | an argument that isn't there                | as wrong, unless `""` is among its values and the schema doesn't require it |
 * | a text                                      | without the case of letters, spaces and `,./-_*^`; `'` is `"`             |
 * | an integer where a float is asked for       | as that float, but not within a list                                      |
 * | a float where an integer is asked for       | as wrong                                                                  |
 * | a value of another type than the schema's   | only where the possible values are of that type too (a variable's name), and then letter by letter |
 * | a list                                      | in order; its texts as texts, its lists as they are                       |
 * | a dict                                      | with possible values for each key                                         |
 * | a list of dicts                             | in order, each as a dict                                                  |
 */
import type { ToolDefinition } from '../../../parsers/parser.ts';
import { isFields } from '../../../templates/check.ts';
import {
  equal,
  isDict,
  isIn,
  isList,
  type PyDict,
  type PyType,
  type PyValue,
  show,
  typeOf,
} from './python.ts';

export interface BfclCall {
  readonly name: string;
  readonly arguments: PyDict;
}

/** The possible values of each argument; `""` among them: it may be left out. */
export interface BfclExpected {
  readonly name: string;
  readonly arguments: ReadonlyMap<string, readonly PyValue[]>;
}

/** What is wrong, in words; `undefined`: the calls are right. */
export type Mismatch = string | undefined;

/** Which calls, all in all; of those expected several may be the same. */
export function checkCalls(
  tools: readonly ToolDefinition[],
  calls: readonly BfclCall[],
  expected: readonly BfclExpected[],
): Mismatch {
  if (calls.length !== expected.length)
    return `${calls.length} calls were made where ${expected.length} are expected`;
  const left = [...calls];
  for (const one of expected) {
    const tool = tools.find(({ name }) => name === one.name);
    if (!tool) return `${one.name} is expected and not on offer`;
    const wrong = left.map(call => checkCall(tool, call, one));
    const found = wrong.indexOf(undefined);
    if (found === -1)
      return wrong.length === 1 ? wrong[0] : `no call is ${one.name} as expected (${wrong.join('; ')})`;
    left.splice(found, 1);
  }
  return undefined;
}

/** `tool` is the one that is expected. */
export function checkCall(
  { name: own, inputSchema }: ToolDefinition,
  call: BfclCall,
  expected: BfclExpected,
): Mismatch {
  if (call.name !== own) return `${call.name} was called, not ${own}`;
  const { required, properties } = fieldsOf(inputSchema);
  const missing = listOf(required).find(name => !call.arguments.has(String(name)));
  if (missing !== undefined) return `${missing} is required and missing`;
  for (const [name, value] of call.arguments) {
    const schema = Object.hasOwn(fieldsOf(properties), name) ? fieldsOf(properties)[name] : undefined;
    const possible = expected.arguments.get(name);
    if (schema === undefined || !possible) return `${name} is not expected`;
    if (!isPossible(schema, value, possible))
      return `${name} is ${show(value)}, and may be ${possible.map(show).join(' or ')}`;
  }
  for (const [name, possible] of expected.arguments)
    if (!call.arguments.has(name) && !possible.includes('')) return `${name} is missing`;
  return undefined;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const pythonTypes: Readonly<Record<string, PyType>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  array: 'list',
  object: 'dict',
};

/** Of a value that may be of any type a text is expected. */
const typeOfSchema = (schema: unknown): PyType => pythonTypes[String(fieldsOf(schema).type)] ?? 'str';

function isPossible(schema: unknown, given: PyValue, possible: readonly PyValue[]): boolean {
  const type = typeOfSchema(schema);
  const { items } = fieldsOf(schema);
  const itemType = type === 'list' && items !== undefined ? typeOfSchema(items) : undefined;
  const value: PyValue = type === 'float' && typeof given === 'number' ? { float: given } : given;
  if (!hasType(value, type, itemType, possible)) return false;
  const variable = possibleType(possible);
  if (variable !== undefined && variable !== type) return isIn(value, possible);
  if (isDict(value)) return possible.some(one => one !== '' && isPossibleDict(value, one));
  if (isList(value) && itemType === 'dict') return possible.some(one => isPossibleDicts(value, one));
  if (isList(value))
    return possible.some(
      one => (isList(one) || typeof one === 'string') && equal(value.map(plain), itemsOf(one).map(plain)),
    );
  if (typeof value === 'string') return isPossibleText(value, possible);
  return isIn(value, possible);
}

/** Whether a value is of the schema's type, or else of the type of the possible values. */
function hasType(
  value: PyValue,
  type: PyType,
  itemType: PyType | undefined,
  possible: readonly PyValue[],
): boolean {
  if (typeOf(value) !== type) return typeOf(value) === possibleType(possible);
  if (itemType === undefined || !isList(value)) return true;
  return possible.some(one => !isList(one) || value.every(item => hasType(item, itemType, undefined, one)));
}

/** The first one tells; of an argument that can only be left out nothing is known. */
function possibleType(possible: readonly PyValue[]): PyType | undefined {
  const first = possible.find(one => one !== '');
  return first === undefined ? undefined : typeOf(first);
}

function isPossibleDicts(values: readonly PyValue[], possible: PyValue): boolean {
  const dicts = itemsOf(possible);
  return (
    (isList(possible) || possible === '') &&
    values.length === dicts.length &&
    values.every((value, index) => isDict(value) && isPossibleDict(value, dicts[index]!))
  );
}

function isPossibleDict(value: PyDict, possible: PyValue): boolean {
  if (!isDict(possible)) return false;
  const known = [...value].every(([key, inner]) => isIn(plain(inner), itemsOf(possible.get(key)).map(plain)));
  return known && [...possible].every(([key, values]) => value.has(key) || itemsOf(values).includes(''));
}

function isPossibleText(value: string, possible: readonly PyValue[]): boolean {
  return possible.some(one => typeof one === 'string' && plain(one) === plain(value));
}

/** Texts without what may differ; all other values as they are. */
function plain(value: PyValue): PyValue {
  if (typeof value !== 'string') return value;
  return value
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');
}

/** In Python a text is a list of its characters. */
function itemsOf(value: PyValue | undefined): readonly PyValue[] {
  if (typeof value === 'string') return [...value];
  return isList(value) ? value : [];
}
