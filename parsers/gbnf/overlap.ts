/** Whether the branches of a `oneOf` have values in common: a grammar takes one branch or another, and can't say "only one". */
import type { JsonValue } from '../parser.ts';
import { allowedKinds, kindOf, listedValues, sameValue } from './facets.ts';
import { memberNodes, requiredNames } from './parts.ts';
import type { Node, Nodes, Schemas } from './schema.ts';

/** Whether a value may fit more than one: it can't be shown that none does. */
export function overlaps(node: Node, schemas: Schemas): boolean {
  const list = node.keywords.oneOf;
  if (!Array.isArray(list)) return false;
  const branches = list.map((_, index) => schemas.alternatives([schemas.child(node, 'oneOf', index)]));
  return branches.some((some, index) =>
    branches
      .slice(index + 1)
      .some(others => some.some(a => others.some(b => !apart([...a, node], [...b, node], schemas, 0)))),
  );
}

/** Whether no value can be both. */
function apart(a: Nodes, b: Nodes, schemas: Schemas, depth: number): boolean {
  const [listA, listB] = [listedValues(a, ignore), listedValues(b, ignore)];
  const [kindsA, kindsB] = [allowedKinds(a, ignore), allowedKinds(b, ignore)];
  const fitsBoth = (one: JsonValue) =>
    [kindsA, kindsB].every(kinds => kinds.has(kindOf(one))) &&
    [listA, listB].every(list => !list || list.some(other => sameValue(one, other)));
  // How long a text is, or how large a number, is left out of account: a grammar may not be able to hold to it.
  if (listA || listB) return !(listA ?? listB)?.some(fitsBoth);
  if (![...kindsA].some(kind => kindsB.has(kind))) return true;
  if (depth > 2 || kindsA.size !== 1 || !kindsA.has('object') || kindsB.size !== 1) return false;
  const needed = requiredNames(b, ignore);
  // Objects that both need a member with values of their own, as a discriminator is.
  return requiredNames(a, ignore)
    .filter(name => needed.includes(name))
    .some(name => {
      const [ofA, ofB] = [a, b].map(nodes => schemas.alternatives(memberNodes(nodes, name, schemas)));
      return (ofA ?? []).every(one => (ofB ?? []).every(other => apart(one, other, schemas, depth + 1)));
    });
}

function ignore(): void {}
