/** How values are written: what a call syntax may choose about them. */
import type { JsonValue } from '../parser.ts';
import type { CharSet } from './char-set.ts';
import { codeOf, complement, union, without } from './char-set.ts';
import {
  choice,
  type Expression,
  empty,
  letters,
  never,
  oneOf,
  optional,
  repeat,
  rule,
  sequence,
  texts,
} from './expression.ts';

/** What stands before and behind the value of one member. */
export interface Member {
  readonly before: Expression;
  readonly after: Expression;
}

/** How the members of an object are written, or the arguments of a call. */
export interface Members {
  readonly open: Expression;
  readonly between: Expression;
  readonly close: Expression;
  /** Undefined: a member of this name can't be written. */
  member(name: string): Member | undefined;
  /** Members of any other name than these. */
  others(names: readonly string[]): readonly Member[];
}

export interface Dialect {
  /** Values of different dialects are different rules. */
  readonly name: string;
  /** A value as it is written, and in no other way. */
  write(value: JsonValue): Expression;
  readonly text: TextStyle;
  readonly members: Members;
  /** What stands between the items of a list. Absent: a comma and a space. */
  readonly separator?: Expression;
  /** How the values inside of an object or a list are written. Absent: in this dialect. */
  readonly inner?: Dialect;
  /** Nothing marks a text as one: where a value may be something else, too, a text that looks like it is read as that. */
  readonly bare?: true;
}

export interface TextStyle {
  readonly open: Expression;
  readonly close: Expression;
  /** One character of the set. */
  char(set: CharSet): Expression;
  /** Any text of so many characters. Undefined: their number can't be kept to. */
  any(min: number, max: number): Expression | undefined;
}

/** A quoted text in which some characters are written as escapes. */
export function quotedText(options: {
  /** One character in any spelling. */
  readonly char: Expression;
  /** The characters that stand for themselves. */
  readonly plain: CharSet;
  /** The canonical spelling of any other one. */
  escaped(char: string): string;
}): TextStyle {
  const special = complement(options.plain);
  const spelled = new WeakMap<CharSet, Expression>();
  const spell = (set: CharSet): Expression => {
    const escapes = without(set, options.plain).flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => ({
        text: options.escaped(String.fromCodePoint(first + index)),
        next: empty,
      })),
    );
    return choice(oneOf(without(set, special)), texts(escapes));
  };
  return {
    open: letters('"'),
    close: letters('"'),
    char(set) {
      let expression = spelled.get(set);
      if (!expression) {
        expression = spell(set);
        if (expression.kind === 'choice') expression = rule('char', expression);
        spelled.set(set, expression);
      }
      return expression;
    },
    any: (min, max) => repeat(options.char, min, max),
  };
}

/**
 * Texts that are none of these, over an alphabet of later and, where the text can't be empty, of first characters. What is left out of a grammar can only be
 * said by everything else, letter by letter.
 */
export function otherTexts(
  names: readonly string[],
  { first, later, char }: { first?: CharSet; later: CharSet; char(set: CharSet): Expression },
): Expression {
  const any = repeat(char(later), 0);
  const from = (rest: readonly string[], set: CharSet, mayEnd: boolean): Expression => {
    const next = new Map<string, string[]>();
    for (const [head = '', ...tail] of rest.map(one => Array.from(one))) {
      if (head !== '') next.set(head, [...(next.get(head) ?? []), tail.join('')]);
    }
    const heads = [...next.keys()].map(head => [[codeOf(head), codeOf(head)]] as const);
    const some = choice(
      ...[...next].map(([head, tails]) => {
        const set1 = without(set, complement([[codeOf(head), codeOf(head)]]));
        return set1.length === 0 ? never : sequence(char(set1), from(tails, later, true));
      }),
      sequence(char(without(set, union(...heads))), any),
    );
    if (!mayEnd || rest.includes('')) return rule('other', some);
    return rule('other', optional(some));
  };
  return from(names, first ?? later, first === undefined);
}
