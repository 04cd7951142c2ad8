/** Random texts of a grammar. The deeper it is, the more it hurries to an end. */
import type { Gbnf, Grammar } from './gbnf.ts';

/** `random` gives numbers from 0 to 1. */
export function sampleGbnf(grammar: Grammar, random: () => number): string {
  const heights = heightsOf(grammar);
  return sample({ kind: 'name', name: 'root' }, 0);

  function sample(body: Gbnf, depth: number): string {
    switch (body.kind) {
      case 'text':
        return body.text;
      case 'class':
        return character(body);
      case 'name':
        return sample(grammar.get(body.name)!, depth + 1);
      case 'all':
        return body.items.map(item => sample(item, depth)).join('');
      case 'one': {
        const low = Math.min(...body.items.map(item => height(item, heights)));
        const items = depth > 12 ? body.items.filter(item => height(item, heights) === low) : body.items;
        return sample(pick(items), depth);
      }
      case 'times': {
        const ends = depth > 12 ? 1 : 0.3;
        let count = body.min;
        while (count < body.max && random() > ends) count++;
        return Array.from({ length: count }, () => sample(body.item, depth)).join('');
      }
    }
  }

  function character({ negated, ranges }: Extract<Gbnf, { kind: 'class' }>): string {
    const within = (code: number) =>
      ranges.some(([first, last]) => first <= code && code <= last) !== negated;
    for (;;) {
      const [first, last] = negated ? pick(likely) : pick(ranges);
      const code = first + Math.floor(random() * (last - first + 1));
      if (within(code) && (code < 0xd800 || code > 0xdfff)) return String.fromCodePoint(code);
    }
  }

  function pick<T>(items: readonly T[]): T {
    return items[Math.floor(random() * items.length)]!;
  }
}

const likely = [
  [32, 126],
  [32, 126],
  [0, 0x2ff],
  [0x2028, 0x2029],
  [0, 0x10ffff],
  [0x1f600, 0x1f610],
] as const;

/** How deep the shallowest text of each rule is. */
function heightsOf(grammar: Grammar): Map<string, number> {
  const heights = new Map<string, number>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, body] of grammar) {
      const now = height(body, heights) + 1;
      if (now < (heights.get(name) ?? Number.POSITIVE_INFINITY)) {
        heights.set(name, now);
        changed = true;
      }
    }
  }
  for (const name of grammar.keys()) if (!heights.has(name)) throw new Error(`No text has the rule ${name}`);
  return heights;
}

function height(body: Gbnf, heights: ReadonlyMap<string, number>): number {
  if (body.kind === 'name') return heights.get(body.name) ?? Number.POSITIVE_INFINITY;
  if (body.kind === 'all') return Math.max(0, ...body.items.map(item => height(item, heights)));
  if (body.kind === 'one') return Math.min(...body.items.map(item => height(item, heights)));
  if (body.kind === 'times') return body.min === 0 ? 0 : height(body.item, heights);
  return 0;
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
