/** Tokens laid out in rows of equal height, so that of a hundred thousand only those in sight are drawn. */
import { isPlain, shownWidth } from './shown.ts';

/** The part of a token that stands in one row. */
export interface Cell {
  /** Which token. */
  readonly token: number;
  /** As it is spelled; a line break is the last of its characters. */
  readonly text: string;
  /** False of the rest of a token that began in a row above. */
  readonly first: boolean;
}

export type Row = readonly Cell[];

export interface Rows {
  readonly rows: readonly Row[];
  /** Where a token begins. */
  rowOf(token: number): number;
}

export interface LaidOut {
  readonly text: string;
  /** It has a row to itself. */
  readonly alone?: boolean;
}

/** `\u10ffff`: how a character is written out that is not seen. No row has fewer columns. */
export const widestCharacter = 8;

/**
 * A row ends with a line break or where its columns are used up. A token that a whole row has room for is not broken in two but where
 * it breaks the line.
 */
export function layOut(tokens: readonly LaidOut[], columns: number): Rows {
  const rows: Cell[][] = [];
  const rowOf = new Uint32Array(tokens.length);
  let row: Cell[] = [];
  let used = 0;
  const end = () => {
    if (row.length > 0) rows.push(row);
    row = [];
    used = 0;
  };

  for (let token = 0; token < tokens.length; token++) {
    const { text, alone } = tokens[token]!;
    if (!alone && isPlain(text) && text.length <= columns) {
      // As most are, so that what is done for the others is not done thousands of times.
      if (text.length > columns - used) end();
      rowOf[token] = rows.length;
      row.push({ token, text, first: true });
      used += text.length;
      continue;
    }
    if (alone) end();
    let first = true;
    for (const line of linesOf(text)) {
      const [width, room] = [shownWidth(line), columns - used];
      if (width > room && (width <= columns || room < widestCharacter)) end();
      for (const [at, part] of cut(line, columns - used, columns).entries()) {
        if (at > 0) end();
        if (first) rowOf[token] = rows.length;
        row.push({ token, text: part, first });
        used += shownWidth(part);
        first = false;
      }
      if (line.endsWith('\n')) end();
    }
    if (alone) end();
  }
  end();
  return { rows, rowOf: token => rowOf[token] ?? 0 };
}

/** Each with its line break; a text without characters is one empty line. */
function linesOf(text: string): readonly string[] {
  return text.includes('\n') ? (text.match(/[^\n]*\n|[^\n]+/g) ?? []) : [text];
}

/** Parts of which the first has so much room, and each other one a row. */
function cut(line: string, room: number, columns: number): readonly string[] {
  if (shownWidth(line) <= room) return [line];
  const parts: string[] = [];
  let part = '';
  let left = room;
  for (const character of line) {
    const width = shownWidth(character);
    if (width > left && part !== '') {
      parts.push(part);
      part = '';
      left = columns;
    }
    part += character;
    left -= width;
  }
  return [...parts, part];
}
