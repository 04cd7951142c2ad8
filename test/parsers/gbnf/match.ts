/** Whether a text is in a grammar, or begins one that is: all ways are followed side by side, as llama.cpp does. */
import type { Gbnf, Grammar } from './gbnf.ts';

/** What is still to come, the next thing first. Lists are shared, so that equal ways meet. */
interface Rest {
  readonly body: Gbnf;
  /** For `times`: how often it was there already. */
  readonly done: number;
  /** For `text`: how much of it. For `all`: which item. */
  readonly next: Rest | undefined;
}

export interface Match {
  /** The text is whole. */
  readonly whole: boolean;
  /** Something in the grammar begins with it. */
  readonly begins: boolean;
  /** The most ways that were open at one time. */
  readonly ways: number;
}

export function matchGbnf(grammar: Grammar, text: string): Match {
  const nodes = new Map<Rest | undefined, Map<Gbnf, Map<number, Rest>>>();
  let ways = new Set<Rest | undefined>();
  let most = 0;
  open(rest({ kind: 'name', name: 'root' }, 0, undefined), ways, new Set());
  for (const char of text) {
    const code = char.codePointAt(0)!;
    const next = new Set<Rest | undefined>();
    const seen = new Set<Rest | undefined>();
    for (const way of ways) {
      if (!way) continue;
      const { body, done, next: behind } = way;
      if (body.kind === 'text' && body.text.startsWith(char, done)) {
        const end = done + char.length;
        open(end < body.text.length ? rest(body, end, behind) : behind, next, seen);
      } else if (body.kind === 'class' && includes(body, code)) open(behind, next, seen);
    }
    ways = next;
    most = Math.max(most, ways.size);
    if (ways.size === 0) break;
  }
  return { whole: ways.has(undefined), begins: ways.size > 0, ways: most };

  /** Everything that can come next, down to characters; `undefined` is the end. */
  function open(way: Rest | undefined, into: Set<Rest | undefined>, seen: Set<Rest | undefined>): void {
    if (seen.has(way)) return;
    seen.add(way);
    if (!way) {
      into.add(way);
      return;
    }
    const { body, done, next } = way;
    switch (body.kind) {
      case 'class':
        into.add(way);
        return;
      case 'text':
        if (body.text === '') open(next, into, seen);
        else into.add(way);
        return;
      case 'name':
        open(rest(grammar.get(body.name)!, 0, next), into, seen);
        return;
      case 'one':
        for (const item of body.items) open(rest(item, 0, next), into, seen);
        return;
      case 'all':
        if (done === body.items.length) open(next, into, seen);
        else
          open(
            rest(body.items[done]!, 0, done + 1 < body.items.length ? rest(body, done + 1, next) : next),
            into,
            seen,
          );
        return;
      case 'times': {
        const unbounded = body.max === Number.POSITIVE_INFINITY;
        if (done >= body.min) open(next, into, seen);
        if (done < body.max)
          open(
            rest(body.item, 0, rest(body, unbounded ? Math.min(done + 1, body.min) : done + 1, next)),
            into,
            seen,
          );
      }
    }
  }

  function rest(body: Gbnf, done: number, next: Rest | undefined): Rest {
    const byBody = entry(nodes, next, () => new Map<Gbnf, Map<number, Rest>>());
    const byDone = entry(byBody, body, () => new Map<number, Rest>());
    return entry(byDone, done, () => ({ body, done, next }));
  }
}

function includes({ negated, ranges }: Extract<Gbnf, { kind: 'class' }>, code: number): boolean {
  return ranges.some(([first, last]) => first <= code && code <= last) !== negated;
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
