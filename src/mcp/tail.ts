/** The last of what a server wrote, kept for the day it fails. Its memory is bounded, with line breaks or without. */
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
  return {
    push(text) {
      const [first = '', ...more] = text.split('\n');
      open = shortened(open + first);
      for (const next of more) {
        lines.push(open);
        open = shortened(next);
      }
      lines = lines.filter(line => line.trim() !== '').slice(-maxLines);
    },
    lines(count = 5) {
      return [...lines, open]
        .map(plainLine)
        .filter(line => line.trim() !== '')
        .slice(-count);
    },
  };
}

/** A stranger's words as they may stand in a terminal. */
export function plainLine(line: string): string {
  return stripVTControlCharacters(line)
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
    .trimEnd();
}

/** Its beginning says what it is of, and its end what happened last. */
function shortened(line: string): string {
  if (line.length <= maxLine) return line;
  const half = maxLine / 2;
  return `${line.slice(0, half)} … ${line.slice(-half)}`;
}
