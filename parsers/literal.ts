/**
 * Reads one value as it comes, character by character, in a superset of JSON's and Python's literals, and writes it as exact
 * JSON text: no space between tokens, numbers digit for digit. What it has written never changes.
 *
 * It keeps its own stack, so that nesting has no limit but memory. It is one file because it is one machine: what a comma or
 * a quote means depends on everything around it. Strings, words and coercion have files of their own.
 */
import { coerceNumber, coerceText } from './coerce.ts';
import { anything, type Guide } from './guide.ts';
import { type Dialect, type StringReader, stringReader } from './literal-string.ts';
import { readWord } from './literal-word.ts';
import type { Problem } from './parser.ts';
import type { Repair } from './repairs.ts';

export interface LiteralOptions {
  readonly dialect: Dialect;
  /**
   * `value`: one value. `key`: one string or word, as a key. `arguments`: what stands between the parentheses of a call,
   * with its closing one, as an object.
   */
  readonly read: 'value' | 'key' | 'arguments';
  readonly guide?: Guide | undefined;
  /** The characters that may follow the whole value. */
  readonly followers?: string;
  /** The first character of the marker that closes the block around it. */
  readonly blockEnd?: string | undefined;
  /** The markers that close the block around it. */
  readonly ends?: readonly string[] | undefined;
  /** The argument that a value without a name belongs to, if there is but one it can be. */
  positional?(index: number): string | undefined;
  repaired(repair: Repair): void;
}

export interface LiteralFailure {
  readonly problem: Problem;
  readonly message: string;
}

export interface LiteralReader {
  /** Reads on from `at` and says how far: behind the value, or at what it can't read, or at what it can't without more behind it. */
  feed(text: string, at: number): number;
  /**
   * Reads a text that is but more of a string, and gives the JSON text that is decided of it, which `take` does not give again.
   * Undefined: the text has to be fed.
   */
  pass(text: string): string | undefined;
  /** There is no more text. */
  end(): void;
  /** The JSON text that was decided since the last time. */
  take(): string;
  /** Ends it with the closing brackets that are missing, if nothing else is. */
  close(): boolean;
  readonly state: 'open' | 'done' | 'failed';
  readonly failure: LiteralFailure | undefined;
  /** How many brackets are open. */
  readonly depth: number;
  /** How many members the outermost object has so far. */
  readonly members: number;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Frame {
  /** `spread` is the dictionary behind `**`; `group` is a parenthesis that may turn out to be a tuple. */
  kind: 'object' | 'array' | 'set' | 'tuple' | 'group' | 'arguments' | 'spread';
  guide: Guide;
  count: number;
  /** Where the opening bracket goes once it is known which one it is. */
  slot?: number;
}

type Expected = 'value' | 'first-value' | 'key' | 'colon' | 'comma' | 'string' | 'word' | 'star' | 'name-end';

const wordCharacter = /[\w.+\-$\u0080-\uffff]/;
const closers = {
  object: '}',
  array: ']',
  set: '}',
  tuple: ')',
  group: ')',
  arguments: ')',
  spread: '}',
} as const;
/** What a closed bracket is in JSON. */
const jsonClosers = {
  object: '}',
  array: ']',
  set: ']',
  tuple: ']',
  group: '',
  arguments: '}',
  spread: '',
} as const;

export function literalReader(options: LiteralOptions): LiteralReader {
  const { dialect, repaired, positional } = options;
  const followers = options.followers ?? '';
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  let guide = options.guide ?? anything;
  let expected: Expected = options.read === 'key' ? 'key' : 'value';
  let ready = '';
  /** What waits for a parenthesis or a set to be decided. */
  let held: string[] | undefined;
  let groups = 0;
  let comma = false;

  let string: StringReader | undefined;
  /** A string that is a key, or that may be coerced, is kept until it is whole. */
  let kept: string | undefined;
  /** A string is being read that goes out as it comes. */
  let flowing = false;
  let isKey = false;
  let word = '';
  let key: { json: string; text: string; string: boolean } | undefined;

  // Plain members that are written to: an object with getters of its own would cost a hidden class each time.
  const reader: Writable<LiteralReader> = {
    state: 'open',
    failure: undefined,
    depth: 0,
    members: 0,
    feed(text, from) {
      let at = from;
      while (at < text.length && reader.state === 'open') {
        if (expected === 'string') {
          const next = readString(text, at);
          if (next === at && expected === 'string') break;
          at = next;
        } else if (expected === 'word') at = readLetters(text, at);
        else {
          const code = text.charCodeAt(at);
          if (code === 32 || (code >= 9 && code <= 13)) at++;
          else at = structure(text[at] ?? '', at);
        }
      }
      return at;
    },
    pass: text => (flowing && held === undefined ? string?.pass(text) : undefined),
    end() {
      if (reader.state !== 'open') return;
      if (expected === 'string' && string) {
        string.end();
        if (string.state === 'closed') stringEnd();
      } else if (expected === 'word') wordEnd('');
      if (reader.state === 'open' && expected === 'comma' && frame === undefined) reader.state = 'done';
    },
    take() {
      const text = ready;
      ready = '';
      return text;
    },
    close() {
      if (expected !== 'comma' || groups > 0) return false;
      while (frame) pop();
      reader.state = 'done';
      reader.failure = undefined;
      return true;
    },
  };
  if (options.read === 'arguments') {
    push('arguments');
    write('{');
    expected = 'key';
  }
  return reader;

  function structure(char: string, at: number): number {
    switch (expected) {
      case 'first-value':
      case 'value':
        return valueStart(char, at);
      case 'key':
        return keyStart(char, at);
      case 'colon':
        return keyEnd(char, at);
      case 'name-end':
        return nameEnd(char, at);
      case 'star':
        if (char === '*') return at + 1;
        if (char !== '{') return fail('non_literal', 'Write each argument as name=value.', at);
        push('spread');
        expected = 'key';
        return at + 1;
      default:
        return separator(char, at);
    }
  }

  function valueStart(char: string, at: number): number {
    if (frame && char === closers[frame.kind] && (expected === 'first-value' || comma)) {
      if (comma && dialect === 'json') repaired('trailing-comma');
      return closeFrame(at);
    }
    if (comma && frame && isList(frame)) write(',');
    comma = false;
    if (char === '"' || char === "'") return stringStart(char, at);
    if (char === '[') return open('array', '[', at);
    if (char === '{') return open('object', undefined, at);
    if (char === '(') return open('group', undefined, at);
    if (wordCharacter.test(char)) return wordStart(false, at);
    return fail('bad_json', `Expected a value, found ${shown(char)}.`, at);
  }

  function open(kind: Frame['kind'], bracket: string | undefined, at: number): number {
    push(kind);
    if (bracket) write(bracket);
    else {
      held ??= [];
      groups++;
      (frame as Frame).slot = held.push('') - 1;
    }
    comma = false;
    if (kind === 'object') expected = 'key';
    else {
      expected = 'first-value';
      if (kind !== 'group') guide = (frame as Frame).guide.item(0);
    }
    return at + 1;
  }

  function keyStart(char: string, at: number): number {
    if (frame && char === closers[frame.kind]) {
      if (frame.count > 0 && comma && dialect === 'json') repaired('trailing-comma');
      return closeFrame(at);
    }
    if (char === '"' || char === "'") {
      return stringStart(char, at, true);
    }
    if (frame?.kind === 'arguments') {
      if (char === '*') {
        expected = 'star';
        return at + 1;
      }
      if (char === '{' && frame.count === 0 && !takesObject(frame)) {
        repaired('arguments-as-dict');
        push('spread');
        expected = 'key';
        return at + 1;
      }
      if ('[({'.includes(char)) return named(positional?.(frame.count)) ? valueStart(char, at) : unnamed(at);
    }
    if (wordCharacter.test(char)) return wordStart(true, at);
    return fail('bad_json', `Expected a key, found ${shown(char)}.`, at);
  }

  /** Whether a dictionary without a name is an argument's value, rather than all the arguments. */
  function takesObject({ guide: tool }: Frame): boolean {
    const name = positional?.(0);
    return name !== undefined && (tool.member(name).types?.has('object') ?? false);
  }

  /** An argument's name may turn out to be a value without a name. */
  function nameEnd(char: string, at: number): number {
    const { json, text, string: quoted } = key as NonNullable<typeof key>;
    if (char === '=' || char === ':') {
      if (char === ':' || quoted) repaired('colon-argument');
      if (!quoted && /^[-+.\d]/.test(text)) return unnamed(at);
      startMember(text);
      return at + 1;
    }
    if (char === '(' || (!quoted && char !== ',' && char !== ')')) return nonLiteral(text + char, at);
    if (!named(positional?.(frame?.count ?? 0))) return unnamed(at);
    if (quoted) finishString(json, text);
    else finishWord(text);
    return at;
  }

  function named(name: string | undefined): boolean {
    if (name === undefined) return false;
    repaired('positional');
    startMember(name);
    return true;
  }

  function unnamed(at: number): number {
    return fail('bad_arguments', 'Write each argument as name=value.', at);
  }

  function keyEnd(char: string, at: number): number {
    const { json, text, string: quoted } = key as NonNullable<typeof key>;
    if (char === ':') {
      decide('{');
      startMember(text);
      return at + 1;
    }
    const set = frame?.kind === 'object' && frame.count === 0 && (char === ',' || char === '}');
    const member = quoted ? json : readWord(text, dialect)?.json;
    if (!set || member === undefined) {
      return fail('bad_json', `Expected a colon after the key ${json}, found ${shown(char)}.`, at);
    }
    decide('[');
    (frame as Frame).kind = 'set';
    if (dialect === 'json') repaired('python-literal');
    write(member);
    expected = 'comma';
    return at;
  }

  function startMember(text: string): void {
    if (frame === undefined) return;
    const outer = frame.kind === 'spread' ? (frames[frames.length - 2] as Frame) : frame;
    write(outer.count > 0 ? `,${JSON.stringify(text)}:` : `${JSON.stringify(text)}:`);
    guide = outer.guide.member(text);
    outer.count++;
    if (frame !== outer) frame.count++;
    if (frames.length === 1 || (frame.kind === 'spread' && frames.length === 2)) reader.members++;
    expected = 'value';
    comma = false;
  }

  function separator(char: string, at: number): number {
    if (frame === undefined) {
      reader.state = 'done';
      return at;
    }
    const closer = closers[frame.kind];
    if (char === closer) return closeFrame(at);
    if (char !== ',') {
      const operator = /[-+*/%<>&|^(]/.test(char) || (dialect === 'python' && /[\w.[=]/.test(char));
      if (operator) return nonLiteral(char, at);
      return fail('bad_json', `Expected a comma or ${shown(closer)}, found ${shown(char)}.`, at);
    }
    comma = true;
    if (frame.kind === 'group') {
      decide('[');
      frame.kind = 'tuple';
      if (dialect === 'json') repaired('python-literal');
    }
    if (isList(frame)) {
      frame.count++;
      guide = frame.guide.item(frame.count);
      expected = 'value';
    } else expected = 'key';
    return at + 1;
  }

  function push(kind: Frame['kind']): void {
    frame = { kind, guide: kind === 'spread' && frame ? frame.guide : guide, count: 0 };
    frames.push(frame);
    reader.depth++;
  }

  function closeFrame(at: number): number {
    if (frame?.kind === 'group' && expected === 'first-value') {
      decide('[');
      frame.kind = 'tuple';
    }
    pop();
    if (frame === undefined) reader.state = 'done';
    expected = 'comma';
    comma = false;
    return at + 1;
  }

  function pop(): void {
    if (frame === undefined) return;
    decide(frame.kind === 'object' ? '{' : '');
    write(jsonClosers[frame.kind]);
    frames.pop();
    reader.depth--;
    frame = frames[frames.length - 1];
  }

  /** Says which bracket the innermost undecided one is. */
  function decide(bracket: string): void {
    if (frame?.slot === undefined || held === undefined) return;
    held[frame.slot] = bracket;
    delete frame.slot;
    groups--;
    if (groups > 0) return;
    ready += held.join('');
    held = undefined;
  }

  function write(json: string): void {
    if (held) held.push(json);
    else ready += json;
  }

  function stringStart(quote: string, at: number, asKey = false, prefix = ''): number {
    isKey = asKey;
    if (quote === "'" && dialect === 'json') repaired('single-quotes');
    const flows = !asKey && (guide.types === undefined || guide.types.has('string'));
    kept = flows ? undefined : '';
    if (flows) write('"');
    const formatted = /f/i.test(prefix);
    flowing = flows && !formatted;
    string = stringReader({
      dialect,
      quote,
      raw: /r/i.test(prefix),
      followers: stringFollowers(),
      blockEnd: options.blockEnd,
      ends: options.ends,
      repaired,
      write(json) {
        if (formatted && json.includes('{')) nonLiteral('a string with values in it', at);
        if (kept === undefined) write(json);
        else kept += json;
      },
    });
    expected = 'string';
    return at + 1;
  }

  function stringFollowers(): string {
    if (isKey && frame?.kind === 'arguments') return ':=,)';
    if (isKey) return frame?.kind === 'object' && frame.count === 0 ? ':,}' : ':';
    if (frame === undefined) return followers;
    return `,${closers[frame.kind]}`;
  }

  function readString(text: string, at: number): number {
    if (string === undefined) return at;
    const next = string.feed(text, at);
    if (string.state === 'closed') stringEnd();
    else if (string.state === 'failed') {
      const followed = text[next] ?? '';
      if ('+*%.'.includes(followed)) return nonLiteral(followed, next);
      return fail(
        'bad_json',
        `Expected the end of a string, found ${shown(followed)} behind its quote.`,
        next,
      );
    }
    return next;
  }

  function stringEnd(): void {
    const json = kept;
    flowing = false;
    string = undefined;
    kept = undefined;
    if (json === undefined) {
      write('"');
      expected = 'comma';
      if (frame === undefined) reader.state = 'done';
      return;
    }
    const quoted = `"${json}"`;
    const text = JSON.parse(quoted) as string;
    if (isKey) keyKnown({ json: quoted, text, string: true });
    else finishString(quoted, text);
  }

  function finishString(json: string, text: string): void {
    const coerced = coerceText(text, guide, inner => readLiteral(inner, { guide, repaired }));
    if (coerced) repaired(coerced.repair);
    finish(coerced?.json ?? json);
  }

  function finish(json: string): void {
    write(json);
    expected = 'comma';
    comma = false;
    if (frame === undefined) reader.state = 'done';
  }

  function keyKnown(known: NonNullable<typeof key>): void {
    key = known;
    if (frame === undefined) {
      ready += known.json;
      reader.state = 'done';
    } else expected = frame.kind === 'arguments' ? 'name-end' : 'colon';
  }

  function wordStart(asKey: boolean, at: number): number {
    word = '';
    isKey = asKey;
    expected = 'word';
    return at;
  }

  function readLetters(text: string, from: number): number {
    let at = from;
    while (at < text.length && wordCharacter.test(text[at] ?? '')) at++;
    word += text.slice(from, at);
    if (at === text.length) return at;
    const next = text[at] ?? '';
    if ((next === '"' || next === "'") && /^(?:[ruf]|rf|fr)$/i.test(word))
      return stringStart(next, at, isKey, word);
    wordEnd(next);
    if ((reader.state as LiteralReader['state']) === 'failed') return Math.max(at - word.length, from);
    return at;
  }

  function wordEnd(next: string): void {
    if (isKey) {
      const name = frame?.kind === 'arguments';
      if (!name && (dialect === 'json' || !/^\d/.test(word))) repaired('unquoted-key');
      keyKnown({ json: JSON.stringify(word), text: word, string: false });
    } else if (next === '(') nonLiteral(`${word}(`, 0);
    else finishWord(word);
  }

  function finishWord(text: string): void {
    const value = readWord(text, dialect);
    if (value) {
      const coerced = value.type === 'number' ? coerceNumber(value.json, text, guide) : undefined;
      if (value.repair && coerced?.repair !== 'coerced-text') repaired(value.repair);
      if (coerced) repaired(coerced.repair);
      finish(coerced?.json ?? value.json);
      return;
    }
    // A date or a version without quotes, where only text fits, is that text; so is a word that the schema lists.
    const onlyText = guide.types?.size === 1 && guide.types.has('string') && /^\d/.test(text);
    if (onlyText || guide.lists(text)) {
      repaired('bare-word');
      finish(JSON.stringify(text));
    } else if (dialect === 'python' || /^\d.*[-+]/.test(text)) nonLiteral(text, 0);
    else fail('bad_json', `Expected a value, found the word ${text.slice(0, 40)} without quotes.`, 0);
  }

  function nonLiteral(found: string, at: number): number {
    return fail(
      'non_literal',
      `A value must be written out as it is, not as something to compute: found \`${found.slice(0, 40)}\`.`,
      at,
    );
  }

  function fail(problem: Problem, message: string, at: number): number {
    reader.state = 'failed';
    reader.failure ??= { problem, message };
    return at;
  }
}

function isList(frame: Frame): boolean {
  return frame.kind === 'array' || frame.kind === 'set' || frame.kind === 'tuple';
}

function shown(char: string): string {
  return char === '\n' ? 'a line break' : `\`${char}\``;
}

/** Reads a whole text as one value. */
export function readLiteral(
  text: string,
  options: { readonly dialect?: Dialect; readonly guide?: Guide; repaired?(repair: Repair): void },
): { readonly json: string; readonly type: string } | undefined {
  const found: Repair[] = [];
  const reader = literalReader({
    read: 'value',
    dialect: options.dialect ?? 'json',
    repaired: repair => found.push(repair),
    ...(options.guide ? { guide: options.guide } : {}),
  });
  const end = reader.feed(text, 0);
  reader.end();
  if (reader.state !== 'done' || text.slice(end).trim() !== '') return undefined;
  for (const repair of found) options.repaired?.(repair);
  const json = reader.take();
  return { json, type: jsonType(json) };
}

/** The type of a value by its JSON text. */
export function jsonType(json: string): string {
  const first = json[0] ?? '';
  if (first === '{') return 'object';
  if (first === '[') return 'array';
  if (first === '"') return 'string';
  if (first === 'n') return 'null';
  return first === 't' || first === 'f' ? 'boolean' : 'number';
}
