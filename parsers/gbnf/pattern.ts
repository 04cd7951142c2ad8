/** A useful part of regular expressions as expressions: what `pattern` says of a text, or nothing where it says more than that. */
import { type CharSet, charsOf, complement, everyChar, range, union } from './char-set.ts';
import { choice, type Expression, oneOf, repeat, sequence } from './expression.ts';

/** An expression over characters as they are meant, and how many of them it can match. */
export interface Pattern {
  readonly expression: Expression;
  readonly min: number;
  readonly max: number;
  /** Where it is one kind of character, counted. */
  readonly counted?: CharSet;
}

const maxCount = 256;
const digit = range('09');
const word = union(range('azAZ09'), charsOf('_'));
const space = union(
  charsOf(' \t\n\r\v\f\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff'),
  range('\u2000\u200a'),
);
const classes: Record<string, CharSet> = {
  d: digit,
  D: complement(digit),
  w: word,
  W: complement(word),
  s: space,
  S: complement(space),
};
const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };
const notLineEnd = complement(charsOf('\n\r\u2028\u2029'));
const anything: Pattern = counted(everyChar, 0, Number.POSITIVE_INFINITY);

/** Patterns that were read lately: a tool set has the same few in many places, and is compiled again and again. */
const known = new Map<string, Pattern | undefined>();
const maxKnown = 500;

export function parsePattern(source: string): Pattern | undefined {
  if (known.has(source)) return known.get(source);
  const pattern = tryPattern(source);
  if (known.size >= maxKnown) known.clear();
  known.set(source, pattern);
  return pattern;
}

function tryPattern(source: string): Pattern | undefined {
  try {
    // What is no regular expression is none of this part of them either.
    new RegExp(source, 'u');
    return readPattern(source);
  } catch {
    return undefined;
  }
}

function readPattern(source: string): Pattern {
  const chars = Array.from(source);
  let at = 0;
  const whole = either(true);
  if (at < chars.length) throw unsayable();
  return whole;

  function either(outermost: boolean): Pattern {
    const branches = [branch(outermost)];
    while (take('|')) branches.push(branch(outermost));
    return branches.length === 1 ? (branches[0] as Pattern) : anyOf(branches);
  }

  /** Outermost, what is not anchored may have anything around it. */
  function branch(outermost: boolean): Pattern {
    const parts: Pattern[] = [];
    if (outermost && !take('^')) parts.push(anything);
    let anchored = false;
    while (at < chars.length && chars[at] !== '|' && chars[at] !== ')') {
      if (outermost && chars[at] === '$' && (at + 1 === chars.length || chars[at + 1] === '|')) {
        at++;
        anchored = true;
      } else parts.push(quantified(atom()));
    }
    if (outermost && !anchored) parts.push(anything);
    return joined(parts);
  }

  function atom(): Pattern {
    const char = chars[at++];
    if (char === '(') return group();
    if (char === '[') return counted(bracket(), 1, 1);
    if (char === '.') return counted(notLineEnd, 1, 1);
    if (char === '\\') return counted(escaped(), 1, 1);
    if (char === undefined || '^$*+?{}]'.includes(char)) throw unsayable();
    return counted(charsOf(char), 1, 1);
  }

  function group(): Pattern {
    if (take('?')) {
      if (take('<')) {
        if (chars[at] === '=' || chars[at] === '!') throw unsayable();
        while (at < chars.length && chars[at++] !== '>');
      } else if (!take(':')) throw unsayable();
    }
    const inner = either(false);
    if (!take(')')) throw unsayable();
    return inner;
  }

  function escaped(): CharSet {
    const char = chars[at++] ?? '';
    const set = classes[char];
    if (set) return set;
    const control = controls[char];
    if (control !== undefined) return charsOf(control);
    if (char === 'x') return code(2);
    if (char === 'u') {
      if (!take('{')) return code(4);
      const end = chars.indexOf('}', at);
      const set = code(end - at);
      at++;
      return set;
    }
    if (/[A-Za-z0-9]/.test(char)) throw unsayable();
    return charsOf(char);
  }

  function code(length: number): CharSet {
    const hex = chars.slice(at, at + length).join('');
    at += length;
    const value = Number.parseInt(hex, 16);
    // Half a character: the other half would have to be joined to it.
    if (value >= 0xd800 && value <= 0xdfff) throw unsayable();
    return [[value, value]];
  }

  function bracket(): CharSet {
    const negated = take('^');
    const sets: CharSet[] = [];
    while (!take(']')) {
      const first = classItem();
      if (chars[at] === '-' && chars[at + 1] !== ']') {
        at++;
        const last = classItem();
        const [from, to] = [single(first), single(last)];
        if (from === undefined || to === undefined) throw unsayable();
        sets.push([[from, to]]);
      } else sets.push(first);
    }
    const set = union(...sets);
    return negated ? complement(set) : set;
  }

  function classItem(): CharSet {
    const char = chars[at++];
    if (char === undefined) throw unsayable();
    if (char !== '\\') return charsOf(char);
    if (take('b')) return charsOf('\b');
    return escaped();
  }

  function quantified(item: Pattern): Pattern {
    const range = quantifier();
    if (!range) return item;
    take('?');
    const [min, max] = range;
    if (min > maxCount || (max > maxCount && max !== Number.POSITIVE_INFINITY)) throw unsayable();
    // Nothing, over and over: GBNF would never get past it.
    if (item.min === 0 && max > 1) throw unsayable();
    if (item.counted && item.min === 1 && item.max === 1) return counted(item.counted, min, max);
    return {
      expression: repeat(item.expression, min, max),
      min: item.min * min,
      max: max === 0 ? 0 : item.max * max,
    };
  }

  function quantifier(): readonly [number, number] | undefined {
    if (take('*')) return [0, Number.POSITIVE_INFINITY];
    if (take('+')) return [1, Number.POSITIVE_INFINITY];
    if (take('?')) return [0, 1];
    const counts = /^\{(\d+)(,?)(\d*)\}/.exec(chars.slice(at, at + 16).join(''));
    if (!counts) return undefined;
    at += counts[0].length;
    const [, min, comma, max] = counts;
    return [Number(min), comma === '' ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max)];
  }

  function take(char: string): boolean {
    if (chars[at] !== char) return false;
    at++;
    return true;
  }
}

function counted(set: CharSet, min: number, max: number): Pattern {
  return { expression: repeat(oneOf(set), min, max), min, max, counted: set };
}

function joined(parts: readonly Pattern[]): Pattern {
  if (parts.length === 1) return parts[0] as Pattern;
  return {
    expression: sequence(...parts.map(part => part.expression)),
    min: parts.reduce((sum, part) => sum + part.min, 0),
    max: parts.reduce((sum, part) => sum + part.max, 0),
  };
}

function anyOf(branches: readonly Pattern[]): Pattern {
  return {
    expression: choice(...branches.map(one => one.expression)),
    min: Math.min(...branches.map(one => one.min)),
    max: Math.max(...branches.map(one => one.max)),
  };
}

function single(set: CharSet): number | undefined {
  const [one] = set;
  return set.length === 1 && one && one[0] === one[1] ? one[0] : undefined;
}

function unsayable(): Error {
  return new Error('A grammar cannot say this.');
}
