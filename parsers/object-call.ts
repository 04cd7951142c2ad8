/** Reads `{"name": …, "arguments": {…}}` in any order and with the keys that models use, and streams the arguments. */
import type { Call } from './calls.ts';
import type { Guide } from './guide.ts';
import { fill, markerHere, readSpace, type Steps } from './input.ts';
import { type LiteralReader, literalReader, readLiteral } from './literal.ts';
import type { Problem } from './parser.ts';
import { readInto, type Session } from './session.ts';

export type Outcome = 'read' | 'failed' | 'not-a-call';

export interface CallOptions {
  /** The object may as well be data. It is a call once it has shown to be one; then `decided` is called, before its events. */
  readonly tentative: boolean;
  decided(): void;
  /** A name that no offered tool has makes it a call too. */
  readonly strangers: boolean;
  /** The marker that closes the block, where there is one. */
  readonly close?: string;
}

const nameKeys = ['name', 'function', 'tool', 'tool_name', 'function_name'];
const argumentsKeys = ['arguments', 'parameters', 'args', 'params', 'input', 'tool_input', 'kwargs'];
const otherKeys = ['type', 'id'];
const objectOnly: ReadonlySet<string> = new Set(['object']);

export function* objectCall(session: Session, call: Call, options: CallOptions): Steps<Outcome> {
  const { input, calls, syntax } = session;
  let decided = !options.tentative;
  let name: string | undefined;
  /** Arguments that came before the name. */
  let early: string | undefined;
  let haveArguments = false;
  const others: string[] = [];
  let depth = 1;
  let comma = true;
  input.at++;
  if (options.tentative && calls.none) return 'not-a-call';

  for (;;) {
    yield* readSpace(input);
    if (!(yield* fill(input))) return fail('truncated', cutMessage);
    const char = input.text[input.at] ?? '';
    if (char === '}') {
      if (comma && (name !== undefined || haveArguments || others.length > 0))
        call.repaired('trailing-comma');
      input.at++;
      comma = false;
      if (--depth === 0) break;
      continue;
    }
    if (char === ',' && !comma) {
      input.at++;
      comma = true;
      continue;
    }
    if (!comma || !/["'\w]/.test(char)) {
      if (!comma && char === '<' && options.close && (yield* markerHere(input, [options.close]))) {
        call.repaired('missing-braces');
        break;
      }
      return fail(
        'bad_json',
        `Expected ${comma ? 'a key' : 'a comma or a closing brace'}, found \`${char}\`.`,
      );
    }
    const key = yield* readKey();
    if (key === undefined) return call.failed ? 'failed' : 'not-a-call';
    if (!decided && depth === 1 && !isCallKey(key)) return 'not-a-call';
    yield* readSpace(input);
    if (!(yield* fill(input))) return fail('truncated', cutMessage);
    if (input.text[input.at] !== ':') return fail('bad_json', `Expected a colon after the key "${key}".`);
    input.at++;
    yield* readSpace(input);
    if (!(yield* fill(input))) return fail('truncated', cutMessage);
    comma = false;
    if (!(yield* member(key, input.text[input.at] ?? ''))) return call.failed ? 'failed' : 'not-a-call';
  }

  if (!decided) return 'not-a-call';
  if (name === undefined)
    call.fail('missing_name', 'The call does not say which tool it is for: "name" is missing.');
  else if (!haveArguments && others.length > 0) flat(name);
  return call.failed ? 'failed' : 'read';

  function* readKey(): Steps<string | undefined> {
    const reader = literalReader({ read: 'key', dialect: 'json', followers: ':', repaired: call.repaired });
    let json = '';
    yield* readInto(session, reader, text => {
      json += text;
    });
    if (reader.state === 'done') return JSON.parse(json) as string;
    failed(reader);
    return undefined;
  }

  /** False: it failed, or it is no call. */
  function* member(key: string, first: string): Steps<boolean> {
    if (key === 'function' && first === '{' && name === undefined) {
      call.repaired('function-wrapper');
      input.at++;
      depth++;
      comma = true;
      return true;
    }
    if (name === undefined && calls.tool(key) && first === '{' && !haveArguments) {
      call.repaired('name-as-key');
      if (!nameKnown(key)) return false;
      return yield* readArguments(first);
    }
    if (argumentsKeys.includes(key) && !haveArguments) {
      if (key !== syntax.argumentsKey) call.repaired('parameters-key');
      return yield* readArguments(first);
    }
    const value = yield* readWhole();
    if (value === undefined) return false;
    if (name === undefined && nameKeys.includes(key) && value.startsWith('"')) {
      if (key !== 'name') call.repaired('name-key');
      return nameKnown(JSON.parse(value) as string);
    }
    if (key === 'type') call.repaired('function-wrapper');
    else if (key !== 'id') others.push(`${JSON.stringify(key)}:${value}`);
    return true;
  }

  function* readWhole(): Steps<string | undefined> {
    const reader = literalReader({
      read: 'value',
      dialect: 'json',
      followers: ',}',
      blockEnd: options.close?.[0],
      repaired: call.repaired,
    });
    let json = '';
    yield* readInto(session, reader, text => {
      json += text;
    });
    if (reader.state === 'done') return json;
    failed(reader);
    return undefined;
  }

  /** A call is what names an offered tool, or what has both a name and arguments. */
  function nameKnown(given: string): boolean {
    name = given;
    if (!decided && ((!calls.any && calls.known(given)) || (haveArguments && nameFits(given)))) decide();
    if (decided) {
      call.named(given);
      if (early !== undefined) replay(early);
    }
    return true;
  }

  function nameFits(given: string): boolean {
    return options.strangers || calls.known(given);
  }

  function decide(): void {
    decided = true;
    options.decided();
  }

  function* readArguments(first: string): Steps<boolean> {
    if (!decided && name !== undefined && nameFits(name) && (first === '{' || first === '"')) {
      decide();
      call.named(name);
    }
    haveArguments = true;
    if (name === undefined || !decided || call.failed) {
      early = yield* readWhole();
      return early !== undefined;
    }
    if (first !== '{') {
      const value = yield* readWhole();
      if (value !== undefined) replay(value);
      return value !== undefined;
    }
    const reader = literalReader({
      read: 'value',
      dialect: 'json',
      guide: call.guide,
      followers: ',}',
      blockEnd: options.close?.[0],
      repaired: call.repaired,
    });
    yield* readInto(session, reader, call.add);
    if (reader.state === 'done') return true;
    if (options.close && (yield* markerHere(input, [options.close])) && reader.close()) {
      call.add(reader.take());
      return true;
    }
    failed(reader);
    return false;
  }

  /** Arguments that are there as a whole: they came before the name, or they are JSON in a string. */
  function replay(json: string): void {
    const guide: Guide = { ...call.guide, types: objectOnly };
    const value = readLiteral(json, {
      guide,
      repaired: repair =>
        call.repaired(repair === 'coerced-json' && json.startsWith('"') ? 'arguments-as-string' : repair),
    });
    if (value?.type === 'object') call.add(value.json);
    else if (json !== 'null' && json !== '""' && json !== '[]') {
      call.fail('bad_arguments', 'The arguments must be a JSON object.');
    }
  }

  /** `{"name": "f", "city": "Oslo"}`: read so where the tool has all these arguments. */
  function flat(tool: string): void {
    const schema = calls.tool(tool)?.inputSchema;
    const properties = typeof schema === 'object' ? Object.keys((schema.properties ?? {}) as object) : [];
    const keys = others.map(one => JSON.parse(`{${one}}`) as object).flatMap(one => Object.keys(one));
    if (!keys.every(key => properties.includes(key))) return;
    call.repaired('flat-arguments');
    replay(`{${others.join(',')}}`);
  }

  function failed(reader: LiteralReader): void {
    const { problem, message } = reader.failure ?? { problem: 'truncated', message: cutMessage };
    fail(problem, message, reader.depth);
  }

  function fail(problem: Problem, message: string, inner = 0): Outcome {
    if (!decided) return 'not-a-call';
    call.fail(problem, message);
    call.openBrackets = depth + inner;
    if (problem === 'truncated') call.cut = true;
    return 'failed';
  }

  function isCallKey(key: string): boolean {
    return [...nameKeys, ...argumentsKeys, ...otherKeys].includes(key) || calls.tool(key) !== undefined;
  }
}

export const cutMessage = 'The call was cut off before it ended. Write it again, whole.';
