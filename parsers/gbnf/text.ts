/** Texts: any of so many characters, or those of a pattern. */
import { charsOf } from './char-set.ts';
import type { TextStyle } from './dialect.ts';
import { choice, type Expression, never, repeat, rule, sequence } from './expression.ts';
import { limits } from './facets.ts';
import { textFormat } from './formats.ts';
import { type Pattern, parsePattern } from './pattern.ts';
import { type Nodes, type Report, reportAll } from './schema.ts';

/** llama.cpp makes a rule for each character that may or may not be there, and refuses 2000 of them. */
const maxCharacters = 1000;

export function textOf(all: Nodes, style: TextStyle, report: Report): Expression {
  const { min, max } = limits(all, 'minLength', 'maxLength', report);
  if (min > max) return never;
  const pattern = patternOf(all, min > 0 || max < Number.POSITIVE_INFINITY, report);
  const inside = pattern ? patterned(pattern) : anything();
  return sequence(style.open, inside, style.close);

  function anything(): Expression {
    const any = style.any(
      held('minLength', min, Math.min(min, maxCharacters)),
      held('maxLength', max, max > maxCharacters ? Number.POSITIVE_INFINITY : max),
    );
    if (any) return any;
    reportAll(all, ['minLength', 'maxLength'], report);
    return style.any(0, Number.POSITIVE_INFINITY) ?? never;
  }

  function patterned({ expression, counted, ...own }: Pattern): Expression {
    if (own.max < min || own.min > max) return never;
    if (counted && Math.max(own.min, min) <= maxCharacters && (max <= maxCharacters || max > own.max))
      return repeat(style.char(counted), Math.max(own.min, min), Math.min(own.max, max));
    held('minLength', min, Math.min(min, own.min));
    held('maxLength', max, Math.max(max, own.max));
    return spelled(expression, style);
  }

  /** What is said of a limit; reported where that is less than what was asked for. */
  function held(keyword: string, asked: number, said: number): number {
    if (said !== asked) reportAll(all, [keyword], report);
    return said;
  }
}

/** One pattern can be said, or a format instead; the others are reported. */
function patternOf(all: Nodes, counted: boolean, report: Report): Pattern | undefined {
  let chosen: { readonly source: unknown; readonly pattern: Pattern } | undefined;
  for (const node of all) {
    const source = node.keywords.pattern;
    if (source === undefined || (chosen && chosen.source === source)) continue;
    const pattern = typeof source === 'string' && !chosen ? parsePattern(source) : undefined;
    if (pattern) chosen = { source, pattern };
    else report(node, 'pattern');
  }
  let loose: Pattern | undefined;
  for (const node of all) {
    const name = node.keywords.format;
    if (name === undefined || (chosen && chosen.source === name)) continue;
    const format = typeof name === 'string' ? textFormat(name) : undefined;
    if (format && !format.loose && !chosen) chosen = { source: name, pattern: format.pattern };
    else {
      loose = format?.pattern;
      report(node, 'format');
    }
  }
  // How long a text may be is worth more than what it roughly looks like.
  return chosen?.pattern ?? (counted ? undefined : loose);
}

const known = new WeakMap<TextStyle, WeakMap<Expression, Expression>>();

/** A pattern as the style writes it: one rule, wherever it stands. */
function spelled(pattern: Expression, style: TextStyle): Expression {
  const ofStyle = known.get(style) ?? new WeakMap<Expression, Expression>();
  known.set(style, ofStyle);
  const made = ofStyle.get(pattern) ?? rule('pattern', spell(pattern, style));
  ofStyle.set(pattern, made);
  return made;
}

/** The same characters as the style writes them. */
function spell(expression: Expression, style: TextStyle): Expression {
  switch (expression.kind) {
    case 'literal':
      return sequence(...Array.from(expression.text, char => style.char(charsOf(char))));
    case 'class':
      return style.char(expression.set);
    case 'sequence':
      return sequence(...expression.items.map(item => spell(item, style)));
    case 'choice':
      return choice(...expression.items.map(item => spell(item, style)));
    case 'repeat':
      return repeat(spell(expression.item, style), expression.min, expression.max);
    case 'rule':
      return expression;
  }
}
