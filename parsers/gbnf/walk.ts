/**
 * Walks over a grammar as its text is written, to say what must come next in any case: what is forced need not be
 * sampled. The places where the text may stand are kept as a set, each with what follows it.
 */
import type { Expression, Rule } from './expression.ts';
import { matches } from './print.ts';

export interface ForcedText {
  readonly text: string;
  /** Control words in it mean control tokens. */
  readonly marker: boolean;
}

export interface GrammarWalk {
  /** Moves on over text that was written. False, and for good: the grammar does not allow it. */
  advance(text: string): boolean;
  /** Whether it allows an end here. */
  readonly mayEnd: boolean;
  /** What comes next whatever the rest will be, in the grammar's own order; nothing where there is a choice, or an end. */
  forced(): readonly ForcedText[];
}

/** What follows a place: an expression, then the rest. */
interface Rest {
  readonly expression: Expression;
  readonly rest: Rest | undefined;
}

/** A place in front of one character; `leaf` undefined: the grammar may end here. */
interface Place {
  readonly leaf: Extract<Expression, { kind: 'literal' | 'class' }> | undefined;
  readonly at: number;
  readonly rest: Rest | undefined;
}

/** More than this at once is a grammar in which nothing is forced, and too dear to follow. */
const maxPlaces = 200;

export function walkGrammar(root: Expression, productive: ReadonlySet<Rule>): GrammarWalk {
  let places = placesOf({ expression: root, rest: undefined });

  function placesOf(from: Rest | undefined): Place[] {
    const found: Place[] = [];
    const seen = new Set<Expression>();
    enter(from);
    return found;

    function enter(following: Rest | undefined): void {
      if (found.length > maxPlaces) return;
      if (!following) {
        found.push({ leaf: undefined, at: 0, rest: undefined });
        return;
      }
      const { expression, rest } = following;
      switch (expression.kind) {
        case 'literal':
        case 'class':
          found.push({ leaf: expression, at: 0, rest });
          break;
        case 'rule':
          if (productive.has(expression.rule)) enter({ expression: expression.rule.body, rest });
          break;
        case 'sequence':
          enter(
            expression.items.reduceRight<Rest | undefined>(
              (after, item) => ({ expression: item, rest: after }),
              rest,
            ),
          );
          break;
        case 'choice':
          for (const item of expression.items)
            if (matches(item, productive)) enter({ expression: item, rest });
          break;
        case 'repeat': {
          const { item, min, max } = expression;
          if (min === 0) {
            // An item that may be empty would lead back here at once.
            if (seen.has(expression)) return;
            seen.add(expression);
            enter(rest);
          }
          if (!matches(item, productive)) return;
          const again: Expression = { kind: 'repeat', item, min: Math.max(0, min - 1), max: max - 1 };
          enter({ expression: item, rest: max > 1 ? { expression: again, rest } : rest });
        }
      }
    }
  }

  function step(from: readonly Place[], char: string): Place[] {
    const code = char.codePointAt(0) ?? 0;
    return from.flatMap(({ leaf, at, rest }) => {
      if (!leaf) return [];
      if (leaf.kind === 'class')
        return leaf.set.some(([first, last]) => code >= first && code <= last) ? placesOf(rest) : [];
      if (!leaf.text.startsWith(char, at)) return [];
      const next = at + char.length;
      return next < leaf.text.length ? [{ leaf, at: next, rest }] : placesOf(rest);
    });
  }

  return {
    advance(text) {
      for (const char of text) {
        places = step(places, char);
        if (places.length > maxPlaces) places = [];
        if (places.length === 0) return false;
      }
      return true;
    },
    get mayEnd() {
      return places.some(({ leaf }) => !leaf);
    },
    forced() {
      const out: ForcedText[] = [];
      for (let here: readonly Place[] = places; here.length > 0; ) {
        const next = onlyNext(here);
        if (next === undefined) break;
        const last = out.at(-1);
        if (last?.marker === next.marker) out[out.length - 1] = { ...last, text: last.text + next.text };
        else out.push(next);
        here = step(here, next.text);
      }
      return out;
    },
  };
}

/** The one character that all places allow, if there is one. */
function onlyNext(places: readonly Place[]): ForcedText | undefined {
  let only: ForcedText | undefined;
  for (const { leaf, at } of places) {
    if (leaf?.kind !== 'literal') return undefined;
    const text = String.fromCodePoint(leaf.text.codePointAt(at) ?? 0);
    if (only && (only.text !== text || only.marker !== leaf.marker)) return undefined;
    only = { text, marker: leaf.marker };
  }
  return only;
}
