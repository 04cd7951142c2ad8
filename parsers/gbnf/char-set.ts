/** Sets of characters as sorted ranges of code points, and how GBNF writes them. */

export type CharSet = readonly (readonly [first: number, last: number])[];

const lastCode = 0x10ffff;

export const everyChar: CharSet = [[0, lastCode]];

/** The characters of a text. */
export function charsOf(text: string): CharSet {
  return union(...Array.from(text, char => [[codeOf(char), codeOf(char)]] as const));
}

/** A range for every two characters: `range('az09')`. */
export function range(pairs: string): CharSet {
  const ranges: [number, number][] = [];
  const codes = Array.from(pairs, codeOf);
  for (let at = 0; at + 1 < codes.length; at += 2) ranges.push([codes[at]!, codes[at + 1]!]);
  return union(ranges);
}

export function union(...sets: readonly CharSet[]): CharSet {
  const sorted = sets.flat().sort((a, b) => a[0] - b[0]);
  const out: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = out.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else out.push([first, last]);
  }
  return out;
}

export function complement(set: CharSet): CharSet {
  const out: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) out.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= lastCode) out.push([next, lastCode]);
  return out;
}

export function intersection(a: CharSet, b: CharSet): CharSet {
  return complement(union(complement(a), complement(b)));
}

export function without(a: CharSet, b: CharSet): CharSet {
  return complement(union(complement(a), b));
}

export function has(set: CharSet, code: number): boolean {
  return set.some(([first, last]) => first <= code && code <= last);
}

export function codeOf(char: string): number {
  return char.codePointAt(0) as number;
}

export function printClass(set: CharSet): string {
  const negated = set.at(-1)?.[1] === lastCode;
  const ranges = negated ? complement(set) : set;
  // Everything: GBNF has a dot for it, which llama.cpp has not always known.
  if (ranges.length === 0) return '[^\\x00]';
  const written = ranges.map(([first, last]) => {
    if (first === last) return classChar(first);
    return `${classChar(first)}${last === first + 1 ? '' : '-'}${classChar(last)}`;
  });
  return `[${negated ? '^' : ''}${written.join('')}]`;
}

function classChar(code: number): string {
  const hex = code.toString(16).toUpperCase();
  if (code > 0xffff) return `\\U${hex.padStart(8, '0')}`;
  if (code > 0x7e) return `\\u${hex.padStart(4, '0')}`;
  if (code === 10) return '\\n';
  if (code < 32 || '"[]\\^-'.includes(String.fromCharCode(code))) return `\\x${hex.padStart(2, '0')}`;
  return String.fromCharCode(code);
}
