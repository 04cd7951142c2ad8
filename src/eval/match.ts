/**
 * Whether an argument is what a task expects. A value in a task is either itself what is expected, or a matcher:
 *
 * | matcher                     | the argument is                                             |
 * | --------------------------- | ----------------------------------------------------------- |
 * | `{exact: VALUE}`            | this value: what VALUE alone says, where it looks like a matcher |
 * | `{one_of: [VALUE, …]}`      | one of these; each may be a matcher                          |
 * | `{range: [LOW, HIGH]}`      | a number from LOW to HIGH; `null` is no limit                |
 * | `{regex: TEXT}`             | a text in which the expression is found                      |
 * | `{ignore: true}`            | anything, or not there                                       |
 *
 * Beside it may stand `optional: true` (it may be left out), and for texts `trim: true` and `ignore_case: true`.
 */
import type { JsonObject, JsonSchema, JsonValue } from '../../parsers/parser.ts';
import { isFields } from '../../templates/check.ts';

const kinds = ['exact', 'one_of', 'range', 'regex', 'ignore'] as const;
const modifiers = ['optional', 'trim', 'ignore_case'] as const;

/** Every argument that is expected is there and as expected, and no other one but what the schema has as default. */
export function argumentsMatch(
  expected: Readonly<Record<string, JsonValue>> | undefined,
  args: JsonObject,
  schema: JsonSchema = true,
): boolean {
  if (expected === undefined) return true;
  return (
    Object.entries(expected).every(([name, matcher]) => matches(matcher, own(args, name))) &&
    Object.keys(args).every(name => Object.hasOwn(expected, name) || isDefault(schema, name, args[name]))
  );
}

function own(args: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

function isDefault(schema: JsonSchema, name: string, value: JsonValue | undefined): boolean {
  if (!isFields(schema) || !isFields(schema.properties)) return false;
  const property = schema.properties[name];
  return isFields(property) && 'default' in property && isSame(property.default as JsonValue, value);
}

/** `value`: undefined where the argument is not there. */
export function matches(matcher: JsonValue, value: JsonValue | undefined): boolean {
  if (!isMatcher(matcher)) return isSame(matcher, value);
  if (matcher.ignore === true) return true;
  if (value === undefined) return matcher.optional === true;
  const given = spelt(value, matcher);
  if (Array.isArray(matcher.one_of)) return matcher.one_of.some(one => matches(spelt(one, matcher), given));
  if (Array.isArray(matcher.range)) return isWithin(matcher.range, given);
  if (typeof matcher.regex === 'string') {
    // The expression has its own way to leave case out of account.
    const text = spelt(value, { ...matcher, ignore_case: false });
    return typeof text === 'string' && expression(matcher.regex, matcher).test(text);
  }
  return isEqual(spelt(matcher.exact ?? null, matcher), given);
}

/** Objects and lists may hold matchers. */
function isSame(expected: JsonValue, value: JsonValue | undefined): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(value) &&
      expected.length === value.length &&
      expected.every((one, at) => matches(one, value[at]))
    );
  if (typeof expected === 'object' && expected !== null)
    return isFields(value) && argumentsMatch(expected, value as JsonObject);
  return isEqual(expected, value);
}

/** Numbers as numbers: 3 is 3.0. */
function isEqual(left: JsonValue, right: JsonValue | undefined): boolean {
  if (Array.isArray(left))
    return (
      Array.isArray(right) && left.length === right.length && left.every((one, at) => isEqual(one, right[at]))
    );
  if (typeof left !== 'object' || left === null) return left === right;
  if (!isFields(right)) return false;
  const [keys, others] = [Object.keys(left), Object.keys(right)];
  return (
    keys.length === others.length &&
    keys.every(key => Object.hasOwn(right, key) && isEqual(left[key]!, right[key] as JsonValue))
  );
}

function isWithin([low, high]: readonly JsonValue[], value: JsonValue): boolean {
  if (typeof value !== 'number') return false;
  return (typeof low !== 'number' || value >= low) && (typeof high !== 'number' || value <= high);
}

function spelt(value: JsonValue, { trim, ignore_case }: JsonObject): JsonValue {
  if (typeof value !== 'string') return value;
  const trimmed = trim === true ? value.trim() : value;
  return ignore_case === true ? trimmed.toLowerCase() : trimmed;
}

function expression(source: string, { ignore_case }: JsonObject = {}): RegExp {
  return new RegExp(source, ignore_case === true ? 'iu' : 'u');
}

function isMatcher(value: JsonValue): value is JsonObject {
  return isFields(value) && kinds.some(kind => Object.hasOwn(value, kind));
}

export interface MatcherProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What is wrong with a value of a task that may be a matcher, or hold some. */
export function matcherProblem(
  value: JsonValue,
  path: readonly (string | number)[] = [],
): MatcherProblem | undefined {
  if (Array.isArray(value)) return first(value.map((one, at) => matcherProblem(one, [...path, at])));
  if (typeof value !== 'object' || value === null) return undefined;
  const [kind, second] = kinds.filter(one => Object.hasOwn(value, one));
  if (kind === undefined)
    return first(Object.entries(value).map(([key, one]) => matcherProblem(one, [...path, key])));
  const bad = (key: string, message: string) => ({ path: [...path, key], message });
  if (second !== undefined) return bad(second, `${kind} and ${second} are two matchers: keep one`);
  for (const [key, given] of Object.entries(value)) {
    if (key === kind) continue;
    if (!modifiers.some(one => one === key))
      return bad(
        key,
        `beside ${kind} may stand ${modifiers.join(', ')}; an object that has such keys itself is {exact: …}`,
      );
    if (typeof given !== 'boolean') return bad(key, 'must be true or false');
  }
  return kindProblem(kind, value[kind]!, [...path, kind]);
}

function kindProblem(
  kind: (typeof kinds)[number],
  given: JsonValue,
  path: readonly (string | number)[],
): MatcherProblem | undefined {
  const bad = (message: string) => ({ path, message });
  switch (kind) {
    case 'exact':
      return undefined;
    case 'ignore':
      return given === true ? undefined : bad('must be true');
    case 'one_of':
      if (!Array.isArray(given) || given.length === 0) return bad('must be a list of values');
      return first(given.map((one, at) => matcherProblem(one, [...path, at])));
    case 'range': {
      const limit = (one: JsonValue | undefined) => typeof one === 'number' || one === null;
      if (Array.isArray(given) && given.length === 2 && given.every(limit)) return undefined;
      return bad('must be two numbers, the lowest and the highest; null is no limit');
    }
    case 'regex':
      if (typeof given !== 'string') return bad('must be a text');
      try {
        expression(given);
        return undefined;
      } catch (error) {
        return bad(`is no regular expression: ${(error as Error).message}`);
      }
  }
}

function first(problems: readonly (MatcherProblem | undefined)[]): MatcherProblem | undefined {
  return problems.find(problem => problem !== undefined);
}
