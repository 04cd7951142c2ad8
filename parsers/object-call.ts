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

export function objectCall(session: Session, call: Call, options: CallOptions): Steps<Outcome> {
  return new ObjectCall(session, call, options).read();
}

/** One object being read. A class, because V8 makes a hidden class for each generator function that is made anew. */
class ObjectCall {
  private decided: boolean;
  private name: string | undefined;
  /** Arguments that came before the name. */
  private early: string | undefined;
  private haveArguments = false;
  private readonly others: string[] = [];
  private depth = 1;
  private comma = true;
  private readonly session: Session;
  private readonly call: Call;
  private readonly options: CallOptions;

  constructor(session: Session, call: Call, options: CallOptions) {
    this.session = session;
    this.call = call;
    this.options = options;
    this.decided = !options.tentative;
  }

  *read(): Steps<Outcome> {
    const { call, options } = this;
    const { input, calls } = this.session;
    input.at++;
    if (options.tentative && calls.none) return 'not-a-call';

    for (;;) {
      yield* readSpace(input);
      if (!(yield* fill(input))) return this.fail('truncated', cutMessage);
      const char = input.text[input.at] ?? '';
      if (char === '}') {
        if (this.comma && (this.name !== undefined || this.haveArguments || this.others.length > 0))
          call.repaired('trailing-comma');
        input.at++;
        this.comma = false;
        if (--this.depth === 0) break;
        continue;
      }
      if (char === ',' && !this.comma) {
        input.at++;
        this.comma = true;
        continue;
      }
      if (!this.comma || !/["'\w]/.test(char)) {
        if (!this.comma && char === '<' && options.close && (yield* markerHere(input, [options.close]))) {
          call.repaired('missing-braces');
          break;
        }
        return this.fail(
          'bad_json',
          `Expected ${this.comma ? 'a key' : 'a comma or a closing brace'}, found \`${char}\`.`,
        );
      }
      const key = yield* this.readKey();
      if (key === undefined) return call.failed ? 'failed' : 'not-a-call';
      if (!this.decided && this.depth === 1 && !this.isCallKey(key)) return 'not-a-call';
      yield* readSpace(input);
      if (!(yield* fill(input))) return this.fail('truncated', cutMessage);
      if (input.text[input.at] !== ':')
        return this.fail('bad_json', `Expected a colon after the key "${key}".`);
      input.at++;
      yield* readSpace(input);
      if (!(yield* fill(input))) return this.fail('truncated', cutMessage);
      this.comma = false;
      if (!(yield* this.member(key, input.text[input.at] ?? '')))
        return call.failed ? 'failed' : 'not-a-call';
    }

    if (!this.decided) return 'not-a-call';
    if (this.name === undefined)
      call.fail('missing_name', 'The call does not say which tool it is for: "name" is missing.');
    else if (!this.haveArguments && this.others.length > 0) this.flat(this.name);
    return call.failed ? 'failed' : 'read';
  }

  private *readKey(): Steps<string | undefined> {
    const { repaired } = this.call;
    const reader = literalReader({ read: 'key', dialect: 'json', followers: ':', repaired });
    let json = '';
    yield* readInto(this.session, reader, text => {
      json += text;
    });
    if (reader.state === 'done') return JSON.parse(json) as string;
    this.failed(reader);
    return undefined;
  }

  /** False: it failed, or it is no call. */
  private *member(key: string, first: string): Steps<boolean> {
    const { call } = this;
    const { input, calls, syntax } = this.session;
    if (key === 'function' && first === '{' && this.name === undefined) {
      call.repaired('function-wrapper');
      input.at++;
      this.depth++;
      this.comma = true;
      return true;
    }
    if (this.name === undefined && calls.tool(key) && first === '{' && !this.haveArguments) {
      call.repaired('name-as-key');
      if (!this.nameKnown(key)) return false;
      return yield* this.readArguments(first);
    }
    if (argumentsKeys.includes(key) && !this.haveArguments) {
      if (key !== syntax.argumentsKey) call.repaired('parameters-key');
      return yield* this.readArguments(first);
    }
    const value = yield* this.readWhole();
    if (value === undefined) return false;
    if (this.name === undefined && nameKeys.includes(key) && value.startsWith('"')) {
      if (key !== 'name') call.repaired('name-key');
      return this.nameKnown(JSON.parse(value) as string);
    }
    if (key === 'type') call.repaired('function-wrapper');
    else if (key === 'id' && value.startsWith('"')) call.identified(JSON.parse(value) as string);
    else if (key !== 'id') this.others.push(`${JSON.stringify(key)}:${value}`);
    return true;
  }

  private *readWhole(): Steps<string | undefined> {
    const reader = literalReader({
      read: 'value',
      dialect: 'json',
      followers: ',}',
      blockEnd: this.options.close?.[0],
      ends: this.options.close === undefined ? undefined : [this.options.close],
      repaired: this.call.repaired,
    });
    let json = '';
    yield* readInto(this.session, reader, text => {
      json += text;
    });
    if (reader.state === 'done') return json;
    this.failed(reader);
    return undefined;
  }

  /** A call is what names an offered tool, or what has both a name and arguments. */
  private nameKnown(given: string): boolean {
    const { calls } = this.session;
    this.name = given;
    const offered = !calls.any && calls.known(given);
    if (!this.decided && (offered || (this.haveArguments && this.nameFits(given)))) this.decide();
    if (this.decided) {
      this.call.named(given);
      if (this.early !== undefined) addWhole(this.call, this.early);
    }
    return true;
  }

  private nameFits(given: string): boolean {
    return this.options.strangers || this.session.calls.known(given);
  }

  private decide(): void {
    this.decided = true;
    this.options.decided();
  }

  private *readArguments(first: string): Steps<boolean> {
    const { call, name, options, session } = this;
    if (!this.decided && name !== undefined && this.nameFits(name) && (first === '{' || first === '"')) {
      this.decide();
      call.named(name);
    }
    this.haveArguments = true;
    if (name === undefined || !this.decided || call.failed) {
      this.early = yield* this.readWhole();
      return this.early !== undefined;
    }
    if (first !== '{') {
      const value = yield* this.readWhole();
      if (value !== undefined) addWhole(call, value);
      return value !== undefined;
    }
    const reader = literalReader({
      read: 'value',
      dialect: 'json',
      guide: call.guide,
      followers: ',}',
      blockEnd: options.close?.[0],
      ends: options.close === undefined ? undefined : [options.close],
      repaired: call.repaired,
    });
    yield* readInto(session, reader, call.add);
    if (reader.state === 'done') return true;
    if (options.close && (yield* markerHere(session.input, [options.close])) && reader.close()) {
      call.add(reader.take());
      return true;
    }
    this.failed(reader);
    return false;
  }

  /** `{"name": "f", "city": "Oslo"}`: read so where the tool has all these arguments. */
  private flat(tool: string): void {
    const schema = this.session.calls.tool(tool)?.inputSchema;
    const properties = typeof schema === 'object' ? Object.keys((schema.properties ?? {}) as object) : [];
    const keys = this.others.map(one => JSON.parse(`{${one}}`) as object).flatMap(one => Object.keys(one));
    if (!keys.every(key => properties.includes(key))) return;
    this.call.repaired('flat-arguments');
    addWhole(this.call, `{${this.others.join(',')}}`);
  }

  private failed(reader: LiteralReader): void {
    const { problem, message } = reader.failure ?? { problem: 'truncated', message: cutMessage };
    this.fail(problem, message, reader.depth);
  }

  private fail(problem: Problem, message: string, inner = 0): Outcome {
    if (!this.decided) return 'not-a-call';
    const { call } = this;
    call.fail(problem, message);
    call.openBrackets = this.depth + inner;
    if (problem === 'truncated') call.cut = true;
    return 'failed';
  }

  private isCallKey(key: string): boolean {
    return (
      [...nameKeys, ...argumentsKeys, ...otherKeys].includes(key) ||
      this.session.calls.tool(key) !== undefined
    );
  }
}

/**
 * Adds arguments that are there as a whole: they came before the name, or they are JSON in a string. The call has its name by
 * now; it fails where they are no object.
 */
export function addWhole(call: Call, json: string): void {
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

export const cutMessage = 'The call was cut off before it ended. Write it again, whole.';
