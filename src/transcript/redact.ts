/**
 * Takes out of what is recorded what nobody is to read: secrets that are known, and what the user's patterns match. Each of its
 * characters becomes a block, so that every offset stays right. A text that comes in pieces is looked at as a whole.
 */
import { RawcallError } from '../../parsers/error.ts';
import type { Piece } from '../../parsers/parser.ts';
import { isFields } from '../../templates/check.ts';
import type { Prompt } from '../../templates/template.ts';

export interface Redactor {
  /** True where there is anything to look for. */
  readonly active: boolean;
  /** Texts that stand behind one another. */
  texts(texts: readonly string[]): readonly string[];
  /**
   * All texts of a JSON value, but for the words of the transcript itself. Pieces of a prompt or a completion are one text; the token
   * ids of those that are changed are left out.
   */
  value<Value>(value: Value): Value;
  /** Those of a completion, of which a control piece ends a text. */
  pieces(pieces: readonly Piece[]): readonly Piece[];
  /** Whether what comes next could make a whole of something that begins at the end of this text. */
  open(text: string): boolean;
}

/** Shorter ones are no secrets, and would be found in half of all words. */
const shortest = 4;

export function redactor(secrets: readonly string[], patterns: readonly RegExp[]): Redactor {
  const known = [...new Set(secrets.flatMap(secret => [secret, asJson(secret)]))]
    .filter(secret => secret.length >= shortest)
    // The longest first: one may hold another.
    .sort((left, right) => right.length - left.length);
  const active = known.length > 0 || patterns.length > 0;

  function text(given: string): string {
    let shown = given;
    for (const secret of known) shown = shown.replaceAll(secret, blocks);
    for (const pattern of patterns) shown = shown.replace(pattern, blocks);
    return shown;
  }

  function texts(given: readonly string[]): readonly string[] {
    const joined = given.join('');
    const shown = text(joined);
    if (shown === joined) return given;
    let at = 0;
    return given.map(one => {
      at += one.length;
      return shown.slice(at - one.length, at);
    });
  }

  /** @param textOf undefined for what is no text and ends one */
  function inRuns<Item>(
    items: readonly Item[],
    textOf: (item: Item) => string | undefined,
    changed: (item: Item, text: string) => Item,
  ): readonly Item[] {
    const shown = [...items];
    for (let start = 0; start < items.length; ) {
      let end = start;
      while (end < items.length && textOf(items[end]!) !== undefined) end++;
      const before = items.slice(start, end).map(item => textOf(item) ?? '');
      const after = texts(before);
      if (after !== before)
        after.forEach((one, at) => {
          if (one !== before[at]) shown[start + at] = changed(items[start + at]!, one);
        });
      start = end + 1;
    }
    return shown;
  }

  function value<Value>(given: Value): Value {
    return (active ? walk(given) : given) as Value;
  }

  function walk(given: unknown, key?: string): unknown {
    if (typeof given === 'string') return isOwnWord(key, given) ? given : text(given);
    if (Array.isArray(given)) {
      if (key === 'prompt' && isPieces(given)) return prompt(given as Prompt);
      if ((key === 'pieces' || key === 'completion') && isPieces(given)) return pieces(given);
      return given.map(one => walk(one, key));
    }
    if (typeof given !== 'object' || given === null) return given;
    const shown = Object.fromEntries(Object.entries(given).map(([name, inner]) => [name, walk(inner, name)]));
    return typeof shown.argumentsText === 'string' && 'arguments' in shown ? withArguments(shown) : shown;
  }

  const pieces = (given: readonly Piece[]) =>
    inRuns(
      given,
      piece => (piece.control ? undefined : piece.text),
      (_, shown) => ({ text: shown }),
    );
  const prompt = (given: Prompt) =>
    inRuns(
      given,
      piece => ('text' in piece ? piece.text : undefined),
      (piece, shown) => ('text' in piece ? { text: shown, origin: piece.origin } : piece),
    );

  return {
    active,
    texts,
    value,
    pieces,
    open: given => patterns.length > 0 || known.some(secret => overlap(given, secret)),
  };
}

function isPieces(value: readonly unknown[]): value is readonly Piece[] {
  return value.every(one => isFields(one) && (typeof one.text === 'string' || 'control' in one));
}

/** Keys of what a transcript says in words of its own, which no pattern is meant for. */
const ownKeys: ReadonlySet<string> = new Set([
  ...['type', 'role', 'origin', 'purpose', 'source', 'problem', 'repair', 'guard', 'control', 'startedAt'],
  ...['by', 'of', 'answerTurn', 'rounds', 'schema', 'schemaForm', 'decisionHistory', 'constrain', 'sha256'],
]);
const ownReasons: ReadonlySet<string> = new Set([
  ...['stop', 'length', 'aborted', 'answered', 'no_answer', 'round_limit', 'repetition', 'limit', 'calls'],
]);

function isOwnWord(key: string | undefined, value: string): boolean {
  return key !== undefined && (ownKeys.has(key) || (key === 'reason' && ownReasons.has(value)));
}

/** A number that was blocked out leaves no JSON behind. */
function withArguments(call: Record<string, unknown>): unknown {
  try {
    return { ...call, arguments: JSON.parse(String(call.argumentsText)) };
  } catch {
    return { ...call, arguments: {}, argumentsText: '{}' };
  }
}

const blocks = (found: string) => '█'.repeat(found.length);

const asJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Whether the text ends with what the secret begins with. */
function overlap(text: string, secret: string): boolean {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--)
    if (secret.startsWith(text.slice(-length))) return true;
  return false;
}

/** Reads a `--redact`. @throws RawcallError `bad_pattern` */
export function redactPattern(source: string): RegExp {
  try {
    const pattern = new RegExp(source, 'gu');
    if (!pattern.test('')) return new RegExp(source, 'gu');
  } catch (error) {
    throw new RawcallError(
      'bad_pattern',
      `--redact ${source}: it is no regular expression: ${error instanceof Error ? error.message : error}. Give one as JavaScript writes them, such as sk-\\w+.`,
      { pattern: source },
    );
  }
  throw new RawcallError(
    'bad_pattern',
    `--redact ${source}: it matches an empty text, and so everything and nothing. Give one that needs a character.`,
    { pattern: source },
  );
}

/** Whether nothing of a prompt was blocked out. Where something was, its token ids would say what. */
export function isUntouched(shown: Prompt, prompt: Prompt): boolean {
  return shown.every((piece, at) => piece === prompt[at]);
}
