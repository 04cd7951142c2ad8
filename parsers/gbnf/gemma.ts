/** Gemma's notation: `call:f{a:1,b:[<escape>text<escape>,true]}`, where what stands between two marks is a text as it is. */
import { type GemmaMarks, gemmaKey, gemmaValue } from '../gemma-value.ts';
import type { Piece } from '../parser.ts';
import type { Notation } from './call-grammar.ts';
import { charsOf, complement, intersection, range } from './char-set.ts';
import { type Dialect, otherTexts } from './dialect.ts';
import {
  choice,
  type Expression,
  empty,
  letters,
  marker,
  never,
  oneOf,
  type Rule,
  repeat,
  sequence,
} from './expression.ts';

const bareKey = range('AZaz09__..$$--');

export function gemmaCalls({ open, close, quote }: GemmaMarks): Notation {
  return {
    dialect: gemmaDialect(quote),
    between: empty,
    beforeName: marker(`${open}call:`),
    // Nobody reads another name than this as one.
    writeName: name => (/^[^\s{}()[\]<>"'`,;]+$/.test(name) ? name : undefined),
    afterName: empty,
    afterArguments: marker(close),
  };
}

function gemmaDialect(quote: string): Dialect {
  const texts = textsWithout(quote);
  const [whole = never, afterFirst = never] = texts;
  const first = quote.slice(0, 1);
  const others = complement(charsOf(first));
  const written = (pieces: readonly Piece[]) =>
    sequence(...pieces.map(({ text, control }) => (control ? marker(text) : letters(text))));
  const marked = (text: Expression) => sequence(marker(quote), text, marker(quote));
  const key = (text: Expression) => ({ before: sequence(text, letters(':')), after: empty });

  return {
    name: quote,
    separator: letters(','),
    write: value => written(gemmaValue(JSON.stringify(value), quote)),
    text: {
      open: marker(quote),
      close: marker(quote),
      // In a pattern the character that begins the mark is left out.
      char: set => oneOf(intersection(set, others)),
      // Characters can't be counted and kept from spelling the mark at once.
      any: (min, max) => (min === 0 && max === Number.POSITIVE_INFINITY ? whole : undefined),
    },
    members: {
      open: letters('{'),
      between: letters(','),
      close: letters('}'),
      member: name => key(written(gemmaKey(name, quote))),
      others: names => [
        key(otherTexts(names, { first: bareKey, later: bareKey, char: oneOf })),
        key(marked(otherTexts(names, { later: others, char: oneOf }))),
        ...(names.some(name => name.includes(first))
          ? []
          : [key(marked(sequence(repeat(oneOf(others), 0), letters(first), afterFirst)))]),
      ],
    },
  };
}

/**
 * Any text in which this mark does not stand, and what may follow so many of the mark's own characters. The mark holds its first
 * character only once.
 */
function textsWithout(mark: string): readonly Expression[] {
  const rules = Array.from(mark, (_, index): Rule => ({ hint: `text ${index}`, body: never }));
  const states = rules.map((rule): Expression => ({ kind: 'rule', rule }));
  const [start = never, begun = never] = states;
  const first = mark.slice(0, 1);
  for (const [index, rule] of rules.entries()) {
    const next = mark.slice(index, index + 1);
    const others = complement(charsOf(first + next));
    rule.body = choice(
      empty,
      sequence(oneOf(others), start),
      sequence(letters(first), begun),
      ...(index > 0 ? [sequence(letters(next), states[index + 1] ?? never)] : []),
    );
  }
  return states;
}
