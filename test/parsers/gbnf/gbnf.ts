/** GBNF read by the tests' own reader, which shares nothing with what wrote it: llama.cpp's syntax, and its refusals. */

export type Gbnf =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'class';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [number, number])[];
    }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'all'; readonly items: readonly Gbnf[] }
  | { readonly kind: 'one'; readonly items: readonly Gbnf[] }
  | { readonly kind: 'times'; readonly item: Gbnf; readonly min: number; readonly max: number };

export type Grammar = ReadonlyMap<string, Gbnf>;

/** One rule a line, as ours are. */
export function readGbnf(source: string): Grammar {
  const rules = new Map<string, Gbnf>();
  for (const line of source.split('\n').filter(one => one !== '')) {
    const [, name, body] = /^([A-Za-z0-9-]+) ::= (.*)$/s.exec(line) ?? [];
    if (name === undefined || body === undefined) throw new Error(`Not a rule: ${line}`);
    if (rules.has(name)) throw new Error(`Two rules ${name}`);
    rules.set(name, readBody(body));
  }
  for (const rule of rules.values()) checkNames(rule, rules);
  if (!rules.has('root')) throw new Error('No root');
  for (const name of rules.keys())
    if (leadsTo(name, name, rules)) throw new Error(`Left recursion in ${name}`);
  return rules;
}

function readBody(body: string): Gbnf {
  let at = 0;
  const whole = either();
  if (at < body.length) throw new Error(`Unread: ${body.slice(at)} in ${body}`);
  return whole;

  function either(): Gbnf {
    const items = [sequence()];
    while (take('|')) items.push(sequence());
    return items.length === 1 ? items[0]! : { kind: 'one', items };
  }

  function sequence(): Gbnf {
    const items: Gbnf[] = [];
    for (space(); at < body.length && body[at] !== '|' && body[at] !== ')'; space())
      items.push(counted(one()));
    return { kind: 'all', items };
  }

  function one(): Gbnf {
    if (take('(')) {
      const inner = either();
      if (!take(')')) throw new Error(`No closing parenthesis in ${body}`);
      return inner;
    }
    if (body[at] === '"') {
      at++;
      let text = '';
      while (body[at] !== '"') text += String.fromCodePoint(char());
      at++;
      return { kind: 'text', text };
    }
    if (body[at] === '[') return characterClass();
    const [name] = /^[A-Za-z0-9-]+/.exec(body.slice(at, at + 200)) ?? [];
    if (name === undefined) throw new Error(`Unexpected ${body.slice(at, at + 20)} in ${body}`);
    at += name.length;
    return { kind: 'name', name };
  }

  function characterClass(): Gbnf {
    at++;
    const negated = body[at] === '^';
    if (negated) at++;
    const ranges: [number, number][] = [];
    while (body[at] !== ']') {
      const first = char();
      if (body[at] !== '-' || body[at + 1] === ']') ranges.push([first, first]);
      else {
        at++;
        ranges.push([first, char()]);
      }
    }
    at++;
    return { kind: 'class', negated, ranges };
  }

  function char(): number {
    const code = body.codePointAt(at);
    if (code === undefined) throw new Error(`Open end in ${body}`);
    at += code > 0xffff ? 2 : 1;
    if (code !== 92) return code;
    const kind = body[at++] ?? '';
    const length = { x: 2, u: 4, U: 8 }[kind];
    if (length) {
      const hex = body.slice(at, at + length);
      at += length;
      return Number.parseInt(hex, 16);
    }
    const plain = { n: 10, t: 9, r: 13, '\\': 92, '"': 34, '[': 91, ']': 93 }[kind];
    if (plain === undefined) throw new Error(`llama.cpp knows no escape \\${kind}`);
    return plain;
  }

  function counted(item: Gbnf): Gbnf {
    const [text, min, comma, max] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(body.slice(at, at + 24)) ?? [];
    if (text === undefined) return item;
    at += text.length;
    if (text === '*') return { kind: 'times', item, min: 0, max: Number.POSITIVE_INFINITY };
    if (text === '+') return { kind: 'times', item, min: 1, max: Number.POSITIVE_INFINITY };
    if (text === '?') return { kind: 'times', item, min: 0, max: 1 };
    const least = Number(min);
    const most = comma === '' ? least : max === '' ? Number.POSITIVE_INFINITY : Number(max);
    if (Math.max(least, most === Number.POSITIVE_INFINITY ? 0 : most) >= 2000)
      throw new Error(`llama.cpp refuses so many repetitions: ${text}`);
    if (item.kind !== 'name' && item.kind !== 'class' && item.kind !== 'text')
      throw new Error(`What is counted has inner rules: ${body}`);
    return { kind: 'times', item, min: least, max: most };
  }

  function space(): void {
    while (body[at] === ' ') at++;
  }

  function take(char: string): boolean {
    space();
    if (body[at] !== char) return false;
    at++;
    return true;
  }
}

function checkNames(body: Gbnf, rules: Grammar): void {
  if (body.kind === 'name' && !rules.has(body.name)) throw new Error(`No rule ${body.name}`);
  if ('items' in body) for (const item of body.items) checkNames(item, rules);
  if (body.kind === 'times') checkNames(body.item, rules);
}

/** Whether the rule can begin with this name before any character was written. */
function leadsTo(from: string, name: string, rules: Grammar, seen = new Set<string>()): boolean {
  const firsts = (body: Gbnf): readonly string[] => {
    if (body.kind === 'name') return [body.name];
    if (body.kind === 'times') return firsts(body.item);
    if (body.kind === 'one') return body.items.flatMap(firsts);
    if (body.kind !== 'all') return [];
    const end = body.items.findIndex(item => !mayBeEmpty(item, rules, new Set()));
    return body.items.slice(0, end < 0 ? undefined : end + 1).flatMap(firsts);
  };
  return firsts(rules.get(from)!).some(next => {
    if (next === name) return true;
    if (seen.has(next)) return false;
    seen.add(next);
    return leadsTo(next, name, rules, seen);
  });
}

export function mayBeEmpty(body: Gbnf, rules: Grammar, within: Set<string>): boolean {
  if (body.kind === 'text') return body.text === '';
  if (body.kind === 'class') return false;
  if (body.kind === 'all') return body.items.every(item => mayBeEmpty(item, rules, within));
  if (body.kind === 'one') return body.items.some(item => mayBeEmpty(item, rules, within));
  if (body.kind === 'times') return body.min === 0 || mayBeEmpty(body.item, rules, within);
  if (within.has(body.name)) return false;
  return mayBeEmpty(rules.get(body.name)!, rules, new Set([...within, body.name]));
}
