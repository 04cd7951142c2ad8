/** The ways in which a completion is cut into pieces, all of which must read alike. */
import type { Piece } from '../../parsers/parser.ts';

export interface Split {
  /** In words: `in two`. */
  readonly way: string;
  /** Offsets into the completion's text, in order. */
  readonly places: readonly number[];
}

/** Completions up to this many UTF-16 units are cut in two at every place, longer ones at so many random places. */
export const everyPlaceUpTo = 400;
const sampledPlaces = 100;
const randomSplits = 8;

export function* splitsOf(length: number, random: () => number): Generator<Split> {
  if (length < 2) return;
  yield {
    way: 'one character at a time',
    places: Array.from({ length: length - 1 }, (_, index) => index + 1),
  };
  for (let count = 0; count < randomSplits; count++)
    yield { way: 'at random', places: randomPlaces(length, random) };
  if (length <= everyPlaceUpTo) {
    for (let place = 1; place < length; place++) yield { way: 'in two', places: [place] };
    return;
  }
  for (let count = 0; count < sampledPlaces; count++)
    yield { way: 'in two', places: [1 + Math.floor(random() * (length - 1))] };
}

/** Pieces of about the size of tokens. */
function randomPlaces(length: number, random: () => number): number[] {
  const places: number[] = [];
  for (let place = 0; ; ) {
    place += 1 + Math.floor(random() * 9);
    if (place >= length) return places;
    places.push(place);
  }
}

/** Texts that stand side by side as one; a control token stays a piece of its own. */
export function joined(pieces: readonly Piece[]): readonly Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (last && !last.control && !piece.control) out[out.length - 1] = { text: last.text + piece.text };
    else out.push(piece);
  }
  return out;
}

/** Cuts the texts of joined pieces at these places; a place inside a control token is no place. */
export function cut(pieces: readonly Piece[], places: readonly number[]): Piece[] {
  const out: Piece[] = [];
  let start = 0;
  let next = 0;
  for (const piece of pieces) {
    const end = start + piece.text.length;
    let from = 0;
    for (; next < places.length && (places[next] ?? 0) < end; next++) {
      const at = (places[next] ?? 0) - start;
      if (piece.control || at <= from) continue;
      out.push({ text: piece.text.slice(from, at) });
      from = at;
    }
    out.push(from === 0 ? piece : { text: piece.text.slice(from) });
    start = end;
  }
  return out;
}

/** Numbers from 0 to 1 that are the same for the same seed and text. */
export function randomFrom(seed: number, text: string): () => number {
  let state = seed >>> 0;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
