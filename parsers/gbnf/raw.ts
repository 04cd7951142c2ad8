/**
 * The dialect of raw values: text as it is, between tags, and everything else as JSON. A grammar keeps the tags out of a text that
 * would end it. What a value may be besides text, it is read as where it looks like it.
 */
import { rawText } from '../json-text.ts';
import { charsOf, codeOf, complement, range, union, without } from './char-set.ts';
import { type Dialect, type Members, otherTexts } from './dialect.ts';
import {
  choice,
  type Expression,
  empty,
  letters,
  never,
  oneOf,
  optional,
  type Rule,
  repeat,
  sequence,
} from './expression.ts';
import { json } from './json.ts';

/** `excluded`: what no text may hold. All of them begin with `<`, and have no other. */
export function rawDialect(excluded: readonly string[]): Dialect {
  const text = textWithout(excluded);
  return {
    name: 'raw',
    write(value) {
      const written = rawText(JSON.stringify(value));
      return typeof value === 'string' && excluded.some(one => written.includes(one))
        ? never
        : letters(written);
    },
    text: {
      open: empty,
      close: empty,
      char: set => oneOf(without(set, charsOf('<'))),
      any: (min, max) => (min === 0 && max === Number.POSITIVE_INFINITY ? text : undefined),
    },
    members: json.members,
    inner: json,
    bare: true,
  };
}

/** What stands around an argument's name, and behind its value. */
export function taggedArguments(around: {
  readonly before: Expression;
  readonly behind: Expression;
  readonly after: Expression;
}): Members {
  const written = (name: Expression) => ({
    before: sequence(around.before, name, around.behind),
    after: around.after,
  });
  return {
    open: empty,
    between: empty,
    close: empty,
    member: name => (/^[^<>\n]+$/.test(name) && name === name.trim() ? written(letters(name)) : undefined),
    others: names => [written(otherTexts(names, { first: nameChars, later: nameChars, char: oneOf }))],
  };
}

const nameChars = complement(
  union(range('\0 \u007f\u00a0\u2000\u200f\u2028\u202f'), charsOf('<>\u1680\u205f\u3000\ufeff')),
);

/** Any text that holds none of these, letter by letter: how much of one was written is a rule of its own. */
function textWithout(excluded: readonly string[]): Expression {
  const notOpen = complement(charsOf('<'));
  const rules = new Map<string, Expression>();
  const whole: Rule = { hint: 'raw-text', body: never };
  const text: Expression = { kind: 'rule', rule: whole };
  whole.body = sequence(repeat(oneOf(notOpen), 0), optional(sequence(letters('<'), after('<'))));
  return text;

  function after(written: string): Expression {
    const known = rules.get(written);
    if (known) return known;
    const made: Rule = { hint: 'raw-tag', body: never };
    const reference: Expression = { kind: 'rule', rule: made };
    rules.set(written, reference);
    const next = [
      ...new Set(excluded.filter(one => one.startsWith(written)).map(one => one[written.length] ?? '')),
    ];
    const going = next
      .filter(char => !excluded.includes(written + char))
      .map(char => sequence(letters(char), after(written + char)));
    const others = without(notOpen, union(...next.map(char => [[codeOf(char), codeOf(char)]] as const)));
    made.body = optional(choice(...going, sequence(letters('<'), after('<')), sequence(oneOf(others), text)));
    return reference;
  }
}
