/** Texts that grow by many small pieces. A string grown by `+=` would be a tree as deep as there are pieces. */
/** Few enough that joining them is cheap, and enough that what is left are few. */
const joinedAt = 32;

/** Enough that decoding them costs little for each, and few enough that their memory is soon had. */
const mostCodes = 8192;

export class TextStore {
  private parts: string[] = [];
  private pieces: string[] = [];

  add(text: string): void {
    if (text !== '' && this.pieces.push(text) === joinedAt) this.join();
  }

  get empty(): boolean {
    return this.parts.length === 0 && this.pieces.length === 0;
  }

  toString(): string {
    this.join();
    if (this.parts.length > 1) this.parts = [this.parts.join('')];
    return this.parts[0] ?? '';
  }

  private join(): void {
    if (this.pieces.length > 0) this.parts.push(this.pieces.join(''));
    this.pieces = [];
  }
}

export function textStore(): TextStore {
  return new TextStore();
}

/** The text of a completion from some place on, which may move forward. Places are those of the completion. */
export class History {
  private parts: { readonly at: number; readonly text: string }[] = [];
  /** The newest text, in UTF-16 as strings are: to keep a string for each small piece would cost more than to read it. */
  private codes = new Uint16Array(256);
  private codesAt = 0;
  private length = 0;

  begin(at: number, text: string): void {
    this.parts = [];
    this.codesAt = at;
    this.length = 0;
    this.add(text);
  }

  add(text: string): void {
    const end = this.length + text.length;
    if (end > this.codes.length) {
      this.makeRoom(text);
      return;
    }
    const { codes, length } = this;
    for (let at = 0; at < text.length; at++) codes[length + at] = text.charCodeAt(at);
    this.length = end;
  }

  between(from: number, to: number): string {
    let text = to > this.codesAt ? this.newest(Math.max(0, from - this.codesAt), to - this.codesAt) : '';
    for (let index = this.parts.length - 1; index >= 0; index--) {
      const part = this.parts[index]!;
      if (part.at < to) text = part.text.slice(Math.max(0, from - part.at), to - part.at) + text;
      if (part.at <= from) break;
    }
    return text;
  }

  /** Lets go of what stands before this place. */
  drop(before: number): void {
    const gone = this.parts.findIndex(part => part.at + part.text.length > before);
    this.parts.splice(0, gone < 0 ? this.parts.length : gone);
  }

  private makeRoom(text: string): void {
    if (this.length > 0) {
      this.parts.push({ at: this.codesAt, text: this.newest(0, this.length) });
      this.codesAt += this.length;
      this.length = 0;
    }
    if (text.length > mostCodes) {
      this.parts.push({ at: this.codesAt, text });
      this.codesAt += text.length;
      return;
    }
    if (this.codes.length < mostCodes) this.codes = new Uint16Array(mostCodes);
    this.add(text);
  }

  private newest(from: number, to: number): string {
    const { buffer } = this.codes;
    return Buffer.from(buffer, 2 * from, 2 * (to - from)).toString('utf16le');
  }
}

/** A text of which parts stand word for word in another one: those are kept as places alone. */
export class QuotingStore {
  private parts: (string | Quote)[] = [];
  private own: string[] = [];
  private quote: Quote | undefined;

  add(text: string): void {
    this.quote = undefined;
    if (this.own.push(text) === joinedAt) this.flush();
  }

  /** The text that stands at this place of the source, so many characters long. */
  addQuote(start: number, length: number): void {
    if (this.quote?.end === start) {
      this.quote.end += length;
      return;
    }
    this.flush();
    this.quote = { start, end: start + length };
    this.parts.push(this.quote);
  }

  get empty(): boolean {
    return this.parts.length === 0 && this.own.length === 0;
  }

  /** `source` is the whole text that quotes are of, from place `from` on; asked for only where there are any. */
  text(source: () => string, from: number): string {
    this.flush();
    const all = this.parts.some(part => typeof part !== 'string') ? source() : '';
    return this.parts
      .map(part => (typeof part === 'string' ? part : all.slice(part.start - from, part.end - from)))
      .join('');
  }

  private flush(): void {
    if (this.own.length === 0) return;
    this.parts.push(this.own.length === 1 ? this.own[0]! : this.own.join(''));
    this.own.length = 0;
  }
}

interface Quote {
  readonly start: number;
  end: number;
}
