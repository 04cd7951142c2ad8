/** How a token's text is shown: what would not be seen, or would turn the direction of writing round, is written out. */

export interface ShownPart {
  readonly text: string;
  /** It stands for a character that is not seen. */
  readonly sign: boolean;
}

/** Controls, formats, halves of characters, spaces that are not the usual one, and what Unicode says to ignore. */
const unseen = /\p{C}|(?! )\p{Z}|\p{Default_Ignorable_Code_Point}/u;
const unseenApart = new RegExp(`(${unseen.source})`, 'gu');

/** Of a token without a text: a part of a character that ends in a later token. */
const partOfCharacter = '◌';

export function shownParts(text: string): readonly ShownPart[] {
  if (text === '') return [{ text: partOfCharacter, sign: true }];
  if (!unseen.test(text)) return [{ text, sign: false }];
  return text
    .split(unseenApart)
    .map((part, at) => ({ text: at % 2 === 1 ? signOf(part) : part, sign: at % 2 === 1 }))
    .filter(part => part.text !== '');
}

const signs: Readonly<Record<string, string>> = { '\n': '↵', '\r': '␍', '\t': '⇥' };

function signOf(character: string): string {
  return signs[character] ?? `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
}

const ascii = /^[\x20-\x7e]+$/;

/** It is shown as it is, a column for each of its characters. */
export function isPlain(text: string): boolean {
  return ascii.test(text);
}

/** In columns of a monospaced font, as most fonts have it. */
export function shownWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const part of shownParts(text)) for (const character of part.text) width += columnsOf(character);
  return width;
}

const combining = /^\p{M}$/u;
const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

function columnsOf(character: string): number {
  if (wide.test(character)) return 2;
  return combining.test(character) ? 0 : 1;
}
