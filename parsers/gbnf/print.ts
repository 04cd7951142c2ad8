/** Writes a grammar as GBNF. Rules with one body are one rule, and what can match nothing is left out. */
import { printClass } from './char-set.ts';
import type { Expression, Rule } from './expression.ts';

/** The rules that match at least one text. The others would lead a model into a place that it can't leave. */
export function productiveRules(root: Expression): ReadonlySet<Rule> {
  const rules = [...rulesOf(root)];
  const productive = new Set<Rule>();
  for (let grown = true; grown; ) {
    grown = false;
    // A rule mostly comes before those that it needs.
    for (const rule of rules.toReversed()) {
      if (productive.has(rule) || !matches(rule.body, productive)) continue;
      productive.add(rule);
      grown = true;
    }
  }
  return productive;
}

function rulesOf(root: Expression): Set<Rule> {
  const rules = new Set<Rule>();
  const walk = (expression: Expression) => {
    if (expression.kind === 'rule') {
      if (rules.has(expression.rule)) return;
      rules.add(expression.rule);
      walk(expression.rule.body);
    } else if ('items' in expression) expression.items.forEach(walk);
    else if (expression.kind === 'repeat') walk(expression.item);
  };
  walk(root);
  return rules;
}

/** Whether the expression matches any text. */
export function matches(expression: Expression, productive: ReadonlySet<Rule>): boolean {
  switch (expression.kind) {
    case 'literal':
    case 'class':
      return true;
    case 'rule':
      return productive.has(expression.rule);
    case 'sequence':
      return expression.items.every(item => matches(item, productive));
    case 'choice':
      return expression.items.some(item => matches(item, productive));
    case 'repeat':
      return expression.min === 0 || matches(expression.item, productive);
  }
}

/** `root` must match something. */
export function print(root: Expression, productive: ReadonlySet<Rule>): string {
  const lines: string[] = [];
  const names = new Map<Rule, string>();
  const byBody = new Map<string, string>();
  const taken = new Map<string, number>([['root', 1]]);
  const body = alternatives(root);
  return `root ::= ${body}\n${lines.join('')}`;

  function alternatives(expression: Expression): string {
    if (expression.kind !== 'choice') return inSequence(expression);
    const written = expression.items.filter(item => matches(item, productive)).map(inSequence);
    return [...new Set(written)].join(' | ');
  }

  function inSequence(expression: Expression): string {
    if (expression.kind !== 'sequence') return item(expression);
    const written = expression.items.map(item).filter(text => text !== nothing);
    return written.length === 0 ? nothing : written.join(' ');
  }

  function item(expression: Expression): string {
    switch (expression.kind) {
      case 'literal':
        return expression.marker ? quoted(expression.text) : asLetters(expression.text);
      case 'class':
        return printClass(expression.set);
      case 'rule':
        return nameOf(expression.rule);
      case 'repeat':
        return repetition(expression);
      case 'sequence':
        return inSequence(expression);
      case 'choice': {
        const text = alternatives(expression);
        return isAtom(text) ? text : `(${text})`;
      }
    }
  }

  function repetition({ item: repeated, min, max }: Extract<Expression, { kind: 'repeat' }>): string {
    if (!matches(repeated, productive)) return nothing;
    const text = item(repeated);
    if (text === nothing) return nothing;
    const count = counted(min, max);
    if (isAtom(text)) return text + count;
    // llama.cpp copies what is counted, inner groups and all; a name is copied at no cost.
    if (count.startsWith('{')) return nameFor('item', text) + count;
    return text.startsWith('(') && repeated.kind === 'choice' ? text + count : `(${text})${count}`;
  }

  function nameOf(rule: Rule): string {
    const known = names.get(rule);
    if (known !== undefined) return known === '' ? named(rule, freeName(rule.hint)) : known;
    names.set(rule, '');
    const text = alternatives(rule.body);
    const own = names.get(rule) as string;
    // Nothing in its body mentioned it, so its body says all about it.
    if (own === '') return named(rule, isName(text) ? text : nameFor(rule.hint, text));
    lines.push(`${own} ::= ${text}\n`);
    return own;
  }

  function named(rule: Rule, name: string): string {
    names.set(rule, name);
    return name;
  }

  function nameFor(hint: string, text: string): string {
    const known = byBody.get(text);
    if (known !== undefined) return known;
    const name = freeName(hint);
    byBody.set(text, name);
    lines.push(`${name} ::= ${text}\n`);
    return name;
  }

  function freeName(hint: string): string {
    // llama.cpp takes letters, digits and hyphens in names, and nothing else.
    const base = hint.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'rule';
    const count = (taken.get(base) ?? 0) + 1;
    taken.set(base, count);
    return count === 1 ? base : freeName(`${base}-${count}`);
  }
}

const nothing = '""';

function counted(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** What a repetition can be written behind. */
function isAtom(text: string): boolean {
  return isName(text) || /^(?:"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\])$/.test(text);
}

function isName(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9-]*$/.test(text);
}

function quoted(text: string): string {
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]/g, char => {
    if (char === '"' || char === '\\') return `\\${char}`;
    if (char === '\n') return '\\n';
    return `\\x${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}

/** Cut where a control word could begin, so that no literal holds one whole. */
function asLetters(text: string): string {
  return text
    .split(/(?<=[<[])/)
    .map(quoted)
    .join(' ');
}
