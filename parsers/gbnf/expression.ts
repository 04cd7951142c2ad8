/** What a grammar's rules are made of. The builders keep expressions small; `print.ts` writes them as GBNF. */
import { type CharSet, charsOf } from './char-set.ts';

export type Expression =
  /** `marker`: a control word in it means the control token. In any other literal it means its letters. */
  | { readonly kind: 'literal'; readonly text: string; readonly marker: boolean }
  | { readonly kind: 'class'; readonly set: CharSet }
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'sequence'; readonly items: readonly Expression[] }
  /** Without items it matches nothing at all. */
  | { readonly kind: 'choice'; readonly items: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly item: Expression; readonly min: number; readonly max: number };

/** A rule is known before its body is, so that bodies can be recursive. */
export interface Rule {
  /** What its name should say. */
  readonly hint: string;
  body: Expression;
}

export const never: Expression = { kind: 'choice', items: [] };
export const empty: Expression = { kind: 'sequence', items: [] };

/** A text of ours; control words in it mean control tokens. */
export function marker(text: string): Expression {
  return text === '' ? empty : { kind: 'literal', text, marker: true };
}

/** A text of somebody else's: its letters. */
export function letters(text: string): Expression {
  return text === '' ? empty : { kind: 'literal', text, marker: false };
}

export function oneOf(set: CharSet): Expression {
  const [first] = set;
  if (!first) return never;
  const alone = set.length === 1 && first[0] === first[1];
  return alone ? letters(String.fromCodePoint(first[0])) : { kind: 'class', set };
}

/** The same rule for the same place: names keep a grammar small and let it be recursive. */
export function rule(hint: string, body: Expression): Expression {
  return { kind: 'rule', rule: { hint, body } };
}

export function sequence(...items: readonly Expression[]): Expression {
  const out: Expression[] = [];
  const add = (item: Expression) => {
    const before = out.at(-1);
    if (item.kind === 'sequence') item.items.forEach(add);
    else if (item.kind === 'literal' && before?.kind === 'literal' && item.marker === before.marker)
      out[out.length - 1] = { kind: 'literal', text: before.text + item.text, marker: item.marker };
    else out.push(item);
  };
  items.forEach(add);
  return out.length === 1 ? out[0]! : { kind: 'sequence', items: out };
}

export function choice(...items: readonly Expression[]): Expression {
  const all = [...new Set(items.flatMap(item => (item.kind === 'choice' ? item.items : [item])))];
  return all.length === 1 ? all[0]! : { kind: 'choice', items: all };
}

export function repeat(item: Expression, min: number, max = Number.POSITIVE_INFINITY): Expression {
  if (max === 0) return empty;
  return min === 1 && max === 1 ? item : { kind: 'repeat', item, min, max };
}

export function optional(item: Expression): Expression {
  return repeat(item, 0, 1);
}

export interface Entry {
  readonly text: string;
  readonly next: Expression;
}

/**
 * One of many texts, each with what follows it. Common beginnings are written once: what stands side by side in a grammar is
 * followed side by side, for every token of the vocabulary.
 */
export function texts(entries: readonly Entry[]): Expression {
  return branch(entries.map(({ text, next }) => ({ chars: Array.from(text), next })));
}

/** The same of texts that nothing follows, as far as the choices are texts. */
export function oneOfTexts(choices: readonly Expression[]): Expression {
  const plain: Entry[] = [];
  const others: Expression[] = [];
  for (const one of choices) {
    if (one.kind === 'literal' && !one.marker) plain.push({ text: one.text, next: empty });
    else others.push(one);
  }
  return choice(texts(plain), ...others);
}

interface Branch {
  readonly chars: readonly string[];
  readonly next: Expression;
}

function branch(entries: readonly Branch[]): Expression {
  const ends = entries.filter(({ chars }) => chars.length === 0).map(({ next }) => next);
  const groups = new Map<string, Branch[]>();
  for (const entry of entries) {
    const [first] = entry.chars;
    if (first === undefined) continue;
    const group = groups.get(first);
    if (group) group.push(entry);
    else groups.set(first, [entry]);
  }
  const longer: Expression[] = [];
  /** Single last characters before the same thing are one class. */
  const lasts = new Map<Expression, string>();
  for (const group of groups.values()) {
    const [one] = group;
    if (group.length === 1 && one?.chars.length === 1)
      lasts.set(one.next, (lasts.get(one.next) ?? '') + one.chars[0]);
    else {
      const length = commonLength(group);
      const rest = group.map(({ chars, next }) => ({ chars: chars.slice(length), next }));
      const text = (one?.chars ?? []).slice(0, length).join('');
      longer.push(sequence(letters(text), branch(rest)));
    }
  }
  const short = [...lasts].map(([next, chars]) => sequence(oneOf(charsOf(chars)), next));
  return choice(...longer, ...short, ...ends);
}

function commonLength([one, ...others]: readonly Branch[]): number {
  const chars = one?.chars ?? [];
  let length = chars.length;
  for (const other of others) {
    let same = 0;
    while (same < length && other.chars[same] === chars[same]) same++;
    length = same;
  }
  return length;
}
