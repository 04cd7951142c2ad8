/** Lists: items with a schema each, then items of one schema. */
import type { Dialect } from './dialect.ts';
import { type Expression, empty, letters, never, optional, repeat, rule, sequence } from './expression.ts';
import { limits } from './facets.ts';
import { itemNodes, prefixLength } from './parts.ts';
import { type Nodes, reportAll } from './schema.ts';
import type { Compiler } from './value.ts';

/** llama.cpp makes a rule for each item that may or may not be there. */
export const maxItems = 256;

/** `inner` is the dialect of the items. */
export function listOf(all: Nodes, compiler: Compiler, inner: Dialect): Expression {
  const { schemas, value } = compiler;
  const { report } = schemas;
  const { min, max } = limits(all, 'minItems', 'maxItems', report);
  const first = prefixLength(all);
  if (min > max) return never;
  const rest = itemNodes(all, first, schemas);
  // Behind items of their own others are written only where the schema speaks of them, or asks for more.
  const closed = rest.some(node => node.schema === false) || (first > 0 && rest.length === 0 && min <= first);
  const item = closed ? never : value(rest, inner);
  const fewest = held('minItems', min, Math.min(min, first + maxItems));
  const most = held('maxItems', max, max > first + maxItems ? Number.POSITIVE_INFINITY : max);
  const separator = inner.separator ?? letters(', ');
  const items = fewest === 0 ? optional(from(0)) : from(0);
  return sequence(letters('['), max === 0 ? empty : items, letters(']'));

  /** The items from this one on, which has to be there. */
  function from(index: number): Expression {
    if (index >= first) {
      const more = repeat(sequence(separator, item), Math.max(0, fewest - index - 1), most - index - 1);
      return sequence(item, more);
    }
    const own = value(itemNodes(all, index, schemas), inner);
    if (index + 1 >= most) return own;
    const next = rule('items', sequence(separator, from(index + 1)));
    return sequence(own, index + 1 >= fewest ? optional(next) : next);
  }

  function held(keyword: string, asked: number, said: number): number {
    if (said !== asked) reportAll(all, [keyword], report);
    return said;
  }
}
