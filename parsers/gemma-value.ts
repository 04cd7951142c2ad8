/** JSON in Gemma's spelling: strings between marks, bare keys where they can be. */
import { jsonLexemes } from './json-text.ts';
import type { Piece } from './parser.ts';

export interface GemmaMarks {
  readonly open: string;
  readonly close: string;
  /** Stands on both sides of a string. */
  readonly quote: string;
}

/** Any JSON text. A string that holds the mark itself keeps JSON's quotes. */
export function gemmaValue(json: string, quote: string): Piece[] {
  const pieces: Piece[] = [];
  const open: string[] = [];
  let key = false;
  for (const lexeme of jsonLexemes(json)) {
    if (lexeme === '{' || lexeme === '[') open.push(lexeme);
    else if (lexeme === '}' || lexeme === ']') open.pop();
    const string = lexeme.startsWith('"') ? (JSON.parse(lexeme) as string) : undefined;
    if (string === undefined) pieces.push({ text: lexeme });
    else pieces.push(...(key ? gemmaKey(string, quote) : gemmaString(string, quote)));
    key = lexeme === '{' || (lexeme === ',' && open.at(-1) === '{');
  }
  return merged(pieces);
}

/** An object's key. */
export function gemmaKey(name: string, quote: string): Piece[] {
  return /^[\w.$-]+$/.test(name) ? [{ text: name }] : gemmaString(name, quote);
}

function gemmaString(text: string, quote: string): Piece[] {
  if (text.includes(quote)) return [{ text: JSON.stringify(text) }];
  const mark = { text: quote, control: true };
  return [mark, ...(text === '' ? [] : [{ text }]), mark];
}

/** Neighbouring texts as one. */
function merged(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  let run: string[] = [];
  const flush = () => {
    if (run.length > 0) out.push({ text: run.join('') });
    run = [];
  };
  for (const piece of pieces) {
    if (piece.control) {
      flush();
      out.push(piece);
    } else run.push(piece.text);
  }
  flush();
  return out;
}
