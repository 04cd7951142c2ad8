/** Texts that grow by many small pieces. A string grown by `+=` would be a tree as deep as there are pieces. */
/** Few enough that joining them is cheap, and enough that what is left are few. */
const joinedAt = 32;

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
  private chunks: string[] = [];
  private pieces: string[] = [];
  private start = 0;
  private end = 0;

  begin(at: number, text: string): void {
    this.chunks = [text];
    this.pieces = [];
    this.start = at;
    this.end = at + text.length;
  }

  add(text: string): void {
    this.end += text.length;
    if (this.pieces.push(text) === joinedAt) this.join();
  }

  between(from: number, to: number): string {
    this.join();
    let first = this.chunks.length;
    let at = this.end;
    while (at > from && first > 0) at -= this.chunks[--first]!.length;
    return this.chunks
      .slice(first)
      .join('')
      .slice(from - at, to - at);
  }

  /** Lets go of what stands before this place. */
  drop(before: number): void {
    let count = 0;
    for (const chunk of this.chunks) {
      if (this.start + chunk.length > before) break;
      this.start += chunk.length;
      count++;
    }
    if (count > 0) this.chunks.splice(0, count);
  }

  private join(): void {
    if (this.pieces.length > 0) this.chunks.push(this.pieces.join(''));
    this.pieces = [];
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
