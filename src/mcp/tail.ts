/** The last lines of what a server wrote, kept for the day it fails. */
import { stripVTControlCharacters } from 'node:util';

const maxLines = 20;
const maxLine = 400;

export interface Tail {
  push(text: string): void;
  /** The last lines that say something, without escape sequences: they are shown in a terminal and come from a stranger. */
  lines(count?: number): string[];
}

export function tail(): Tail {
  let lines: string[] = [];
  let open = '';
  const clean = (line: string) =>
    stripVTControlCharacters(line)
      .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
      .trimEnd()
      .slice(0, maxLine);
  return {
    push(text) {
      const [first = '', ...more] = text.split('\n');
      open = (open + first).slice(0, maxLine * 4);
      for (const next of more) {
        lines.push(open);
        open = next.slice(0, maxLine * 4);
      }
      lines = lines.filter(line => line.trim() !== '').slice(-maxLines);
    },
    lines(count = 5) {
      return [...lines, open]
        .map(clean)
        .filter(line => line.trim() !== '')
        .slice(-count);
    },
  };
}
