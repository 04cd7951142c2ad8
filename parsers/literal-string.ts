/**
 * Reads the inside of one quoted string, of JSON or of Python, as it comes, and writes it as JSON text (without the quotes around it).
 * Escapes that JSON knows are kept as they were written.
 */
import type { Repair } from './repairs.ts';

export type Dialect = 'json' | 'python';

export interface StringOptions {
  readonly dialect: Dialect;
  readonly quote: string;
  /** `r"…"`: a backslash is a backslash. */
  readonly raw: boolean;
  /** The characters that may follow the closing quote, after white space. Any other one makes it a quote inside the string. */
  readonly followers: string;
  /** Where it is given, this character on a new line ends the string too: a block is closed there. */
  readonly blockEnd?: string | undefined;
  /** Markers that close the block around it: behind the closing quote each of them may follow too. */
  readonly ends?: readonly string[] | undefined;
  write(json: string): void;
  repaired(repair: Repair): void;
}

export interface StringReader {
  /**
   * Reads on from `at` and says how far; stops behind the string, at the character after it. Still open, it leaves what may be the
   * beginning of a marker, to be fed again with more behind it.
   */
  feed(text: string, at: number): number;
  /**
   * Reads a text that stands in the string as a whole and comes out as it is, and gives what is decided of it, which is not written;
   * a backslash at its end waits for what it escapes. Undefined: the text has to be fed.
   */
  pass(text: string): string | undefined;
  /** There is no more text: a closing quote that was waiting for what follows it closes. */
  end(): void;
  readonly state: 'open' | 'closed' | 'failed';
}

const simpleEscapes = '"\\bfnrt';
const pythonControls: Record<string, string> = { a: '\\u0007', v: '\\u000b' };

export function stringReader(options: StringOptions): StringReader {
  const { dialect, quote, raw, followers, write, repaired } = options;
  const quoteCode = quote.charCodeAt(0);
  // Single quotes are Python's, whatever is around them.
  const python = dialect === 'python' || quote === "'";
  let phase: 'opening' | 'body' | 'escape' | 'quotes' | 'closing' = 'opening';
  let triple = false;
  let quotes = 0;
  let sequence = '';
  let space = '';

  const reader: { -readonly [Key in keyof StringReader]: StringReader[Key] } = {
    state: 'open',
    feed(text, from) {
      let at = from;
      while (at < text.length && reader.state === 'open') {
        if (phase === 'body') at = body(text, at);
        else if (phase === 'opening') at = opening(text, at);
        else if (phase === 'escape') at = escaped(text, at);
        else if (phase === 'quotes') at = tripleEnd(text, at);
        else {
          const next = closing(text, at);
          if (next === at && phase === 'closing') break;
          at = next;
        }
      }
      return at;
    },
    pass(text) {
      const escaped = phase === 'escape';
      if (escaped ? sequence !== '' || !isSimpleEscape(text.charCodeAt(0)) : phase !== 'body')
        return undefined;
      const end = runEnd(text, escaped ? 1 : 0);
      const waits = end < text.length;
      if (waits && (raw || end < text.length - 1 || text.charCodeAt(end) !== 92)) return undefined;
      phase = waits ? 'escape' : 'body';
      sequence = '';
      const decided = waits ? text.slice(0, end) : text;
      return escaped ? `\\${decided}` : decided;
    },
    end() {
      if (phase === 'closing' || (phase === 'opening' && quotes === 1) || (phase === 'quotes' && quotes >= 3))
        reader.state = 'closed';
    },
  };
  return reader;

  /** One quote is behind us: two more open a triple-quoted string, one more may be an empty string. */
  function opening(text: string, at: number): number {
    if (text.charCodeAt(at) === quoteCode && quotes < 2) {
      quotes++;
      if (quotes < 2) return at + 1;
      triple = true;
      if (!python) repaired('triple-quotes');
      phase = 'body';
      quotes = 0;
      return at + 1;
    }
    phase = quotes === 1 ? 'closing' : 'body';
    quotes = 0;
    return at;
  }

  /** Where text that is written as it is ends. */
  function runEnd(text: string, from: number): number {
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code > 92) at++;
      // An escape that JSON knows too is kept as it is, so a run goes on over it.
      else if (code === 92 && !raw && isSimpleEscape(text.charCodeAt(at + 1))) at += 2;
      else if (code === quoteCode || code === 92 || code === 34 || code < 32) break;
      else at++;
    }
    return at;
  }

  function body(text: string, from: number): number {
    const at = runEnd(text, from);
    if (at > from) write(from === 0 && at === text.length ? text : text.slice(from, at));
    if (at === text.length) return at;
    const code = text.charCodeAt(at);
    if (code === quoteCode) {
      phase = triple ? 'quotes' : 'closing';
      quotes = triple ? 1 : 0;
    } else if (code === 92 && !raw) {
      phase = 'escape';
      sequence = '';
    } else plain(code);
    return at + 1;
  }

  /** A character as itself, escaped where JSON needs it. */
  function plain(code: number): void {
    if (code === 34) write('\\"');
    else if (code === 92) write('\\\\');
    else if (code < 32) {
      if (!triple || !python) repaired('raw-control');
      write(JSON.stringify(String.fromCharCode(code)).slice(1, -1));
    } else write(String.fromCharCode(code));
  }

  function tripleEnd(text: string, at: number): number {
    if (text.charCodeAt(at) === quoteCode) {
      quotes++;
      return at + 1;
    }
    for (let extra = quotes >= 3 ? quotes - 3 : quotes; extra > 0; extra--) plain(quoteCode);
    if (quotes >= 3) reader.state = 'closed';
    else phase = 'body';
    quotes = 0;
    return at;
  }

  /** A quote is behind us. It closes the string if what comes next can follow a string. */
  function closing(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13)) {
      space += text[at];
      return at + 1;
    }
    const next = text[at] ?? '';
    const behind = options.ends?.find(end => end.startsWith(text.slice(at, at + end.length)));
    if (behind && text.length - at < behind.length) return at;
    if (behind || followers.includes(next) || (next === options.blockEnd && space.includes('\n'))) {
      reader.state = 'closed';
      return at;
    }
    if (python && space !== '' && (next === '"' || next === "'") && next === quote) {
      // Python joins neighbouring strings.
      space = '';
      phase = 'opening';
      quotes = 0;
      return at + 1;
    }
    if ('+*%.'.includes(next) || (space !== '' && '\'"'.includes(next))) {
      reader.state = 'failed';
      return at;
    }
    repaired('inner-quote');
    plain(quoteCode);
    for (const each of space) plain(each.charCodeAt(0));
    space = '';
    phase = 'body';
    return at;
  }

  function escaped(text: string, at: number): number {
    const next = text[at] ?? '';
    const kind = sequence[0] ?? next;
    const wanted = kind === 'u' ? 5 : kind === 'x' ? 3 : kind === 'U' && python ? 9 : 1;
    const octal = python && /[0-7]/.test(kind);
    if (octal ? /[0-7]/.test(next) && sequence.length < 3 : sequence === '' || /[0-9a-fA-F]/.test(next)) {
      sequence += next;
      if (octal || sequence.length < wanted) return at + 1;
      decode(sequence);
      phase = 'body';
      return at + 1;
    }
    // The escape ended before it was whole, or it is an octal number, which ends where its digits do.
    if (octal) write(jsonText(Number.parseInt(sequence, 8)));
    else stray(sequence);
    phase = 'body';
    return at;
  }

  function decode(chars: string): void {
    const kind = chars[0] ?? '';
    if (simpleEscapes.includes(kind)) write(`\\${kind}`);
    else if (kind === '/' && !python) write('/');
    else if (kind === 'u') write(`\\${chars}`);
    else if (kind === 'x' || kind === 'U') {
      const code = Number.parseInt(chars.slice(1), 16);
      // JSON has no `\U`, so no digits were read behind it.
      if (Number.isNaN(code) || code > 0x10ffff) stray(chars);
      else {
        if (!python) repaired('python-escape');
        write(jsonText(code));
      }
    } else if (kind === "'") {
      if (!python) repaired('python-escape');
      write("'");
    } else if (python && pythonControls[kind]) write(pythonControls[kind]);
    else if (python && kind === '\n') return;
    else stray(chars);
  }

  /** A backslash before something that it does not escape stays, as Python has it. */
  function stray(chars: string): void {
    if (dialect === 'json') repaired('stray-escape');
    write('\\\\');
    for (const each of chars) plain(each.charCodeAt(0));
  }
}

/** What may stand behind a backslash in JSON and in Python alike: a quote, a backslash, `b`, `f`, `n`, `r` or `t`. */
function isSimpleEscape(code: number): boolean {
  return (
    code === 110 || code === 34 || code === 92 || code === 116 || code === 114 || code === 98 || code === 102
  );
}

function jsonText(code: number): string {
  return JSON.stringify(String.fromCodePoint(code)).slice(1, -1);
}
