/**
 * The tokens that a grammar lets come next, where they are few. llama.cpp would look at the whole vocabulary, which took 7 ms where a
 * token took 8 (SmolLM2 135M, 49,152 tokens). But a token whose beginning is a token too is refused where that one is, so
 * that under a grammar's own words a few hundred questions are enough.
 */
import type { Vocabulary } from './vocabulary.ts';

/** The tokens of which a grammar speaks by their ids, and not by what they spell. */
export interface ById {
  readonly ids: ReadonlySet<number>;
  /** Some are named as those that may not come, so that no spelling says anything of them. */
  readonly excluded: boolean;
}

/** Gives `undefined` where they are many, and where that is not found out cheaply. */
export type Few = (allows: (id: number) => boolean, byId: ById) => readonly number[] | undefined;

/** Tokens that begin alike, as far as `depth`. */
interface Branch {
  readonly ids: number[];
  readonly depth: number;
  /** The one that ends there. */
  whole?: number;
  next?: readonly Branch[];
}

/** Of so many tokens one is asked about at most: a question costs as much as ten tokens do where all are looked at. */
const sparsity = 32;
/** One for each byte that a token may begin with, so that below it nothing could be found out. */
const leastAsked = 256;

/** Absent for a vocabulary so small that it is as well looked at as a whole. */
export function openFew(vocabulary: Vocabulary): Few | undefined {
  const mostAsked = vocabulary.size / sparsity;
  return mostAsked > leastAsked ? fewOf(vocabulary, mostAsked) : undefined;
}

export function fewOf({ size, spelling, isMarker, endsGeneration }: Vocabulary, mostAsked: number): Few {
  let root: Branch | undefined;
  /** Those that are asked about one by one. Where a grammar holds no other marker may come than those that it names. */
  const others: number[] = [];

  function plant(): Branch {
    const ids: number[] = [];
    for (let id = 0; id < size; id++) {
      if (spelling(id)) ids.push(id);
      else if (!isMarker(id) || endsGeneration(id)) others.push(id);
    }
    return { ids, depth: 0 };
  }

  /** A branch is divided when it is first gone into, which most of them never are. */
  function divide({ ids, depth }: Branch): readonly Branch[] {
    const branches = new Map<number, Branch>();
    for (const id of ids) {
      const text = spelling(id);
      if (text.length === depth) continue;
      const unit = text.charCodeAt(depth);
      let branch = branches.get(unit);
      if (!branch) {
        branch = { ids: [], depth: depth + 1 };
        branches.set(unit, branch);
      }
      branch.ids.push(id);
      if (text.length === depth + 1) branch.whole = id;
    }
    return [...branches.values()];
  }

  return (allows, { ids: named, excluded }) => {
    if (excluded) return undefined;
    root ??= plant();
    root.next ??= divide(root);
    const found = new Set<number>();
    let asked = 0;
    const ask = (id: number) => {
      asked++;
      const allowed = allows(id);
      if (allowed) found.add(id);
      return allowed;
    };
    // The shortest first: where much is allowed, they open so many branches that it soon shows.
    const branches = [...root.next];
    if (branches.length > mostAsked) return undefined;
    for (const id of named) ask(id);
    for (const id of others) ask(id);
    for (const [index, branch] of branches.entries()) {
      if (branch.whole !== undefined && !ask(branch.whole)) continue;
      branch.next ??= divide(branch);
      branches.push(...branch.next);
      if (asked + branches.length - index > mostAsked) return undefined;
    }
    return [...found];
  };
}
