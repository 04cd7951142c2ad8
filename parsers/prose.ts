/** Text on its way out. White space waits for what follows: beside a block it is dropped, between words it is kept. */
import { isSpace } from './input.ts';

export interface Prose {
  add(text: string): void;
  /** A block or a marker stands here: the white space on both sides of it is no text. */
  block(): void;
  /** The end: white space that waited is text after all. */
  flush(): void;
  /** Whether anything but white space was said. */
  readonly said: boolean;
  /** Whether the line so far holds nothing but white space. */
  readonly lineIsBlank: boolean;
}

export function createProse(emit: (text: string) => void): Prose {
  return new WaitingProse(emit);
}

class WaitingProse implements Prose {
  said = false;
  lineIsBlank = true;
  private space = '';
  private leading = false;
  private readonly emit: (text: string) => void;

  constructor(emit: (text: string) => void) {
    this.emit = emit;
  }

  add(text: string): void {
    if (text === '') return;
    let from = 0;
    if (this.leading) {
      while (from < text.length && isSpace(text.charCodeAt(from))) from++;
      if (from === text.length) return;
      this.leading = false;
    }
    let to = text.length;
    while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
    const line = text.lastIndexOf('\n');
    this.lineIsBlank = (line >= from || this.lineIsBlank) && to <= line + 1;
    if (to > from) {
      this.emit(this.space + text.slice(from, to));
      this.said = true;
      this.space = '';
    }
    this.space += text.slice(to);
  }

  block(): void {
    this.space = '';
    this.leading = true;
    this.lineIsBlank = true;
  }

  flush(): void {
    if (this.space !== '' && !this.leading) this.emit(this.space);
    this.space = '';
  }
}
