/**
 * Reads the arguments of a Gemma call as they come, from behind their opening brace, and writes them as exact JSON:
 * `k:<escape>text<escape>,n:3,list:[…],o:{…}}`. A string stands between two marks and holds anything else as it is; keys stand
 * bare. It keeps its own stack, so that nesting has no limit but memory.
 */
import type { Call } from './calls.ts';
import { coerceNumber, coerceText } from './coerce.ts';
import type { Guide } from './guide.ts';
import { fill, isSpace, markerHere, type Steps } from './input.ts';
import { readLiteral } from './literal.ts';
import { stringReader } from './literal-string.ts';
import { readWord } from './literal-word.ts';
import { cutMessage, type Outcome } from './object-call.ts';
import type { Session } from './session.ts';

export interface GemmaQuoting {
  /** The mark around a string. */
  readonly quote: string;
  /** The markers that end the block around the call. As control tokens they end a string too. */
  readonly ends: readonly string[];
}

interface Frame {
  readonly closer: '}' | ']';
  readonly guide: Guide;
  count: number;
}

/** A key behind a text without marks: one word, and no endless one. */
const bareKey = /^[A-Za-z_][\w.$-]*$/;
const longestKey = 100;

/** What a value or a key came to; undefined: reading failed or ended. */
type Read<T> = Steps<T | undefined>;

/** One object of arguments being read. */
export class GemmaArguments {
  private readonly frames: Frame[] = [];
  private ready = '';
  /** A comma was read, and no member behind it yet. */
  private comma = false;
  /** A key that was read with the text before it. */
  private key: string | undefined;
  private readonly session: Session;
  private readonly call: Call;
  private readonly quoting: GemmaQuoting;
  private readonly emit: (json: string) => void;

  constructor(session: Session, call: Call, quoting: GemmaQuoting, emit: (json: string) => void) {
    this.session = session;
    this.call = call;
    this.quoting = quoting;
    this.emit = emit;
  }

  *read(): Steps<Outcome> {
    const { input } = this.session;
    this.open('}', this.call.guide);
    while (this.frames.length > 0) {
      const char = yield* this.next();
      if (char === undefined) return this.cut();
      const frame = this.frames.at(-1) as Frame;
      if (char === frame.closer && this.key === undefined) {
        if (this.comma && frame.count > 0) this.call.repaired('trailing-comma');
        input.at++;
        this.close();
      } else if (frame.count > 0 && !this.comma && this.key === undefined) {
        if (char === ',') {
          input.at++;
          this.comma = true;
        } else if (char === '<' && (yield* this.marker(this.quoting.ends))) {
          this.call.repaired('missing-braces');
          while (this.frames.length > 0) this.close();
        } else return this.fail(`Expected a comma or \`${frame.closer}\`, found ${shown(char)}.`);
      } else if (!(yield* this.member(frame))) return 'failed';
    }
    this.flush();
    return this.call.failed ? 'failed' : 'read';
  }

  private *member(frame: Frame): Steps<boolean> {
    const { input } = this.session;
    let { guide } = frame;
    let key: string | undefined;
    if (frame.closer === '}') {
      key = this.key ?? (yield* this.readKey());
      this.key = undefined;
      if (key === undefined) return false;
      if ((yield* this.next()) !== ':') return this.stop(`Expected a colon after the key "${key}".`);
      input.at++;
      guide = frame.guide.member(key);
    } else guide = frame.guide.item(frame.count);
    const first = yield* this.next();
    if (first === undefined) return this.stop();
    if (frame.count > 0) this.ready += ',';
    if (key !== undefined) this.ready += `${JSON.stringify(key)}:`;
    frame.count++;
    this.comma = false;
    if (first === '{' || first === '[') {
      input.at++;
      this.open(first === '{' ? '}' : ']', guide);
      return true;
    }
    return yield* this.scalar(first, guide, frame);
  }

  private *readKey(): Read<string> {
    const { input } = this.session;
    const first = (yield* this.next()) ?? '';
    const string = yield* this.string(first, ':', false);
    if (string !== 'none') return string === 'failed' ? undefined : string.text;
    let word = '';
    for (;;) {
      const char = yield* this.next(false);
      if (char === undefined) return void this.stop();
      if (char === ':' && word.trim() !== '') return word.trim();
      if (/[,:{}[\]()"'<\n]/.test(char))
        return void this.stop(`Expected a key and a colon, found ${shown(char)}.`);
      word += char;
      input.at++;
    }
  }

  private *scalar(first: string, guide: Guide, frame: Frame): Steps<boolean> {
    const flows = guide.types === undefined || guide.types.has('string');
    const string = yield* this.string(first, `,${frame.closer}`, flows);
    if (string === 'none') return yield* this.bare(guide, frame);
    if (string === 'failed') return false;
    if (!flows) this.coerced(string.text, guide);
    return true;
  }

  private coerced(text: string, guide: Guide): void {
    const { repaired } = this.call;
    const coerced = coerceText(text, guide, inner => readLiteral(inner, { guide, repaired }));
    if (coerced) repaired(coerced.repair);
    this.ready += coerced?.json ?? JSON.stringify(text);
  }

  /** Reads a string, if one begins here, between marks or in JSON's quotes. Where it flows out as it comes, no text is left. */
  private *string(
    first: string,
    followers: string,
    flows: boolean,
  ): Steps<'none' | 'failed' | { readonly text: string }> {
    const { quote } = this.quoting;
    const marked = first === quote[0] && (yield* this.marker([quote]));
    if (!marked && first !== '"' && first !== "'") return 'none';
    this.session.input.at += marked ? quote.length : 1;
    let kept = '';
    const write = (json: string) => {
      if (flows) this.ready += json;
      else kept += json;
    };
    write('"');
    if (!(yield* marked ? this.marked(write) : this.json(first, followers, write))) return 'failed';
    write('"');
    return { text: flows ? '' : (JSON.parse(kept) as string) };
  }

  private *marked(write: (json: string) => void): Steps<boolean> {
    const { input } = this.session;
    const { quote, ends } = this.quoting;
    const markers = [quote, ...ends.filter(end => input.isControlToken(end))];
    for (;;) {
      if ((yield* this.next(false)) === undefined) return this.stop();
      const found = input.text.indexOf(quote[0] ?? '', input.at);
      const end = found === -1 ? input.text.length : found;
      write(JSON.stringify(input.text.slice(input.at, end)).slice(1, -1));
      input.at = end;
      if (found === -1) continue;
      const marker = yield* this.marker(markers);
      if (marker === undefined) {
        write(quote[0] ?? '');
        input.at++;
      } else if (marker === quote) {
        input.at += quote.length;
        return true;
      } else return this.stop(`Expected ${quote} at the end of a string, found ${marker}.`);
    }
  }

  /** A string that holds the mark itself can only be written so; any other one is mended. */
  private *json(quote: string, followers: string, write: (json: string) => void): Steps<boolean> {
    const { input } = this.session;
    const needle = JSON.stringify(this.quoting.quote).slice(1, -1);
    let tail = '';
    let needed = false;
    const reader = stringReader({
      dialect: 'json',
      quote,
      raw: false,
      followers,
      blockEnd: this.quoting.ends[0]?.[0],
      repaired: this.call.repaired,
      write(json) {
        needed ||= (tail + json).includes(needle);
        tail = (tail + json).slice(1 - needle.length);
        write(json);
      },
    });
    while (reader.state === 'open') {
      if ((yield* this.next(false)) === undefined) {
        reader.end();
        break;
      }
      input.at = reader.feed(input.text, input.at);
    }
    if (!needed) this.call.repaired('json-string');
    if (reader.state === 'closed') return true;
    return reader.state === 'open'
      ? this.stop()
      : this.stop('Expected the end of a string behind its quote.');
  }

  /**
   * A number, a constant, or a text that lost its marks. Such a text ends where its member does: at the bracket around it, or at
   * a comma that a key follows.
   */
  private *bare(guide: Guide, frame: Frame): Steps<boolean> {
    const { input } = this.session;
    const texts = guide.types?.has('string') ?? false;
    let text = '';
    let comma = -1;
    let blank = true;
    let depth = 0;
    for (;;) {
      const char = yield* this.next(false);
      if (char === undefined) return this.stop();
      if ((char === '}' || char === ']') && depth-- === 0) break;
      if (char === '<' && (yield* this.marker([this.quoting.quote, ...this.quoting.ends]))) break;
      if (char === '"' && comma >= 0 && blank) break;
      if (!texts && /[{[("']/.test(char)) return this.stop(`Expected a value, found ${shown(char)}.`);
      if (char === '{' || char === '[') depth++;
      if (depth === 0 && char === ',') {
        if (comma < 0 && (frame.closer === ']' || !texts || readWord(text.trim(), 'json'))) break;
        comma = text.length;
        blank = true;
      } else if (depth === 0 && char === ':' && comma >= 0 && text.length - comma < longestKey) {
        const key = text.slice(comma + 1).trim();
        if (bareKey.test(key)) this.key = key;
        if (this.key !== undefined) break;
      } else if (!isSpace(char.charCodeAt(0))) blank = false;
      text += char;
      input.at++;
    }
    if (comma >= 0 && (this.key !== undefined || blank)) {
      text = text.slice(0, comma);
      this.comma = this.key === undefined;
    }
    return this.word(text.trim(), guide);
  }

  private word(word: string, guide: Guide): boolean {
    const { repaired } = this.call;
    const value = readWord(word, 'json');
    if (value) {
      const coerced = value.type === 'number' ? coerceNumber(value.json, word, guide) : undefined;
      if (value.repair && coerced?.repair !== 'coerced-text') repaired(value.repair);
      if (coerced) repaired(coerced.repair);
      this.ready += coerced?.json ?? value.json;
      return true;
    }
    const listed = guide.lists(word);
    if (word === '') return this.stop('Expected a value, found none.');
    if (!listed && !guide.types?.has('string'))
      return this.stop(
        `A text stands between two ${this.quoting.quote}, found ${shown(word.slice(0, 40))} without them.`,
      );
    repaired(listed ? 'bare-word' : 'bare-text');
    this.ready += JSON.stringify(word);
    return true;
  }

  /** The next character; white space before it is skipped. Before it has to be awaited, what is ready goes out. */
  private *next(skipSpace = true): Read<string> {
    const { input } = this.session;
    for (;;) {
      while (skipSpace && input.at < input.text.length && isSpace(input.text.charCodeAt(input.at)))
        input.at++;
      if (input.at < input.text.length) return input.text[input.at];
      this.flush();
      if (!(yield* fill(input))) return undefined;
    }
  }

  private *marker(markers: readonly string[]): Read<string> {
    const { input } = this.session;
    const longest = Math.max(...markers.map(marker => marker.length));
    if (input.text.length - input.at < longest) this.flush();
    return yield* markerHere(input, markers);
  }

  private open(closer: Frame['closer'], guide: Guide): void {
    this.frames.push({ closer, guide, count: 0 });
    this.ready += closer === '}' ? '{' : '[';
  }

  private close(): void {
    this.ready += this.frames.pop()?.closer ?? '';
    this.comma = false;
  }

  private flush(): void {
    if (this.ready !== '') this.emit(this.ready);
    this.ready = '';
  }

  /** It broke here, or the completion ended. */
  private stop(message?: string): false {
    if (message === undefined) this.cut();
    else this.fail(message);
    return false;
  }

  private cut(): Outcome {
    this.flush();
    this.call.fail('truncated', cutMessage);
    this.call.cut = true;
    return this.failed();
  }

  private fail(message: string): Outcome {
    this.flush();
    this.call.fail('bad_json', message);
    return this.failed();
  }

  private failed(): Outcome {
    this.call.openBrackets = this.frames.length;
    return 'failed';
  }
}

function shown(char: string): string {
  return char === '\n' ? 'a line break' : `\`${char}\``;
}
