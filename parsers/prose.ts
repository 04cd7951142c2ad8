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
  let space = '';
  let leading = false;
  let said = false;
  let lineIsBlank = true;
  return {
    add(text) {
      if (text === '') return;
      let from = 0;
      if (leading) {
        while (from < text.length && isSpace(text.charCodeAt(from))) from++;
        if (from === text.length) return;
        leading = false;
      }
      let to = text.length;
      while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
      const line = text.lastIndexOf('\n');
      lineIsBlank = (line >= from || lineIsBlank) && to <= line + 1;
      if (to > from) {
        emit(space + text.slice(from, to));
        said = true;
        space = '';
      }
      space += text.slice(to);
    },
    block() {
      space = '';
      leading = true;
      lineIsBlank = true;
    },
    flush() {
      if (space !== '' && !leading) emit(space);
      space = '';
    },
    get said() {
      return said;
    },
    get lineIsBlank() {
      return lineIsBlank;
    },
  };
}
