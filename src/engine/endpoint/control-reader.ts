/** The text of a completion as pieces: its control tokens told apart from letters that spell the same, where ids say so. */
import { alternatives } from '../../../parsers/alternatives.ts';
import type { Piece } from '../../../parsers/parser.ts';

export interface ControlReader {
  /** `ids`: of the tokens behind this text, and of text that is still to come. */
  push(text: string, ids?: readonly number[]): readonly Piece[];
  end(): readonly Piece[];
  /** The marker whose token came and whose text did not: a server keeps the stop back. */
  readonly unshown: string | undefined;
}

/** `markers`: the words, with their ids where they are known. A server that tells no ids is believed by the word. */
export function controlReader(markers: ReadonlyMap<string, number | undefined>): ControlReader {
  const words = [...markers.keys()].sort((left, right) => right.length - left.length);
  const pattern = new RegExp(`(${alternatives(words)})`);
  const markerIds = new Set(markers.values());
  /** How many tokens of each marker came and were not yet found in the text. */
  const due = new Map<number, number>();
  let tellsIds = false;
  let held = '';

  function isToken(word: string): boolean {
    const id = markers.get(word);
    if (!tellsIds || id === undefined) return true;
    const left = due.get(id) ?? 0;
    due.set(id, Math.max(0, left - 1));
    return left > 0;
  }

  function read(): Piece[] {
    const parts = held.split(pattern);
    const last = parts.pop() ?? '';
    const cut = last.length - unfinished(last, words);
    held = last.slice(cut);
    const pieces = [...parts, last.slice(0, cut)].map(
      (text, index): Piece => (index % 2 === 1 && isToken(text) ? { text, control: true } : { text }),
    );
    return pieces.filter(({ text }) => text !== '');
  }

  return {
    push(text, ids) {
      if (ids && ids.length > 0) tellsIds = true;
      for (const id of ids ?? []) if (markerIds.has(id)) due.set(id, (due.get(id) ?? 0) + 1);
      held += text;
      return read();
    },
    end() {
      const rest = held;
      held = '';
      return rest === '' ? [] : [{ text: rest }];
    },
    get unshown() {
      return [...markers].find(([, id]) => id !== undefined && (due.get(id) ?? 0) > 0)?.[0];
    },
  };
}

/** How many characters at the end of a text may be the beginning of a word. */
function unfinished(text: string, words: readonly string[]): number {
  const longest = Math.max(0, ...words.map(word => word.length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (words.some(word => word.startsWith(end))) return length;
  }
  return 0;
}
