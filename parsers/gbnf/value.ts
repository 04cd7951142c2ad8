/** From a schema to the expression of its values: what can be said of them is said, and the rest is reported. */
import type { Dialect, Members } from './dialect.ts';
import { numberOf } from './digits.ts';
import {
  choice,
  type Expression,
  letters,
  never,
  optional,
  type Rule,
  repeat,
  sequence,
} from './expression.ts';
import { type Kind, kindOf, kindsOf, listedValues } from './facets.ts';
import { fitsAll } from './fits.ts';
import { listOf } from './list.ts';
import { membersOf } from './members.ts';
import { overlappingChoices } from './overlap.ts';
import { isOpen, keyOf, type Node, type Nodes, type Schemas } from './schema.ts';
import { textOf } from './text.ts';
import { reportUnsayable } from './unsayable.ts';

/** One tool's schema on its way into a grammar. */
export interface Compiler {
  readonly schemas: Schemas;
  /** The values for which all these schemas hold. */
  value(nodes: Nodes, dialect: Dialect): Expression;
  /** The arguments of a call, written as its syntax has them; `dialect` is that of their values. */
  arguments(members: Members, dialect: Dialect): Expression;
  /** Where in the schema each rule comes from. */
  readonly places: ReadonlyMap<Rule, Node>;
}

const anyValues = new WeakMap<Dialect, Expression>();

/** Any value at all. */
export function anyValue(dialect: Dialect): Expression {
  const known = anyValues.get(dialect);
  if (known) return known;
  const made: Rule = { hint: `${dialect.name} value`, body: never };
  const reference: Expression = { kind: 'rule', rule: made };
  anyValues.set(dialect, reference);
  const { text, members, write } = dialect;
  const inner = anyValue(dialect.inner ?? dialect);
  const listed = (item: Expression) => optional(sequence(item, repeat(sequence(letters(', '), item), 0)));
  const member = choice(...members.others([]).map(one => sequence(one.before, inner, one.after)));
  made.body = choice(
    sequence(members.open, listed(member), members.close),
    sequence(letters('['), listed(inner), letters(']')),
    sequence(text.open, text.any(0, Number.POSITIVE_INFINITY) ?? never, text.close),
    numberOf([], true, () => {}),
    ...[true, false, null].map(write),
  );
  return reference;
}

/** `name` goes into the names of the rules. */
export function createCompiler(name: string, schemas: Schemas): Compiler {
  const { report } = schemas;
  const rules = new Map<string, Expression>();
  const places = new Map<Rule, Node>();
  const compiler: Compiler = { schemas, value, arguments: args, places };
  return compiler;

  function value(nodes: Nodes, dialect: Dialect): Expression {
    const [place] = nodes;
    if (!place || nodes.every(isOpen)) return anyValue(dialect);
    const key = `${dialect.name} ${keyOf(nodes)}`;
    const known = rules.get(key);
    if (known) return known;
    const made = ruleAt(place, `${name} ${place.pointer.split('/').at(-1)}`);
    rules.set(key, made);
    made.rule.body = choice(...alternatives(nodes).map(all => alternative(all, dialect)));
    return made;
  }

  function args(members: Members, dialect: Dialect): Expression {
    const { root } = schemas;
    const made = ruleAt(root, name);
    const objects = alternatives([root]).filter(all => kindsOf(all, report).has('object'));
    made.rule.body = choice(...objects.map(all => membersOf(all, compiler, members, dialect)));
    return made;
  }

  function ruleAt(place: Node, hint: string) {
    const made = { hint, body: never };
    places.set(made, place);
    return { kind: 'rule', rule: made } as const;
  }

  function alternatives(nodes: Nodes): readonly Nodes[] {
    const found = schemas.alternatives(nodes);
    for (const node of overlappingChoices(found, schemas)) report(node, 'oneOf');
    return found;
  }

  function alternative(all: Nodes, dialect: Dialect): Expression {
    const listed = listedValues(all, report);
    const kinds = listed ? new Set(listed.map(kindOf)) : kindsOf(all, report);
    reportUnsayable(all, kinds, listed !== undefined, report);
    if (listed) return choice(...listed.filter(one => fitsAll(one, all, schemas)).map(dialect.write));
    return choice(...[...kinds].map(kind => ofKind(kind, kinds, all, dialect)));
  }

  function ofKind(kind: Kind, kinds: ReadonlySet<Kind>, all: Nodes, dialect: Dialect): Expression {
    switch (kind) {
      case 'null':
        return dialect.write(null);
      case 'boolean':
        return choice(dialect.write(true), dialect.write(false));
      case 'fraction':
        return numberOf(all, true, report);
      case 'integer':
        return kinds.has('fraction') ? never : numberOf(all, false, report);
      case 'string':
        return textOf(all, dialect.text, report);
      case 'array':
        return listOf(all, compiler, dialect.inner ?? dialect);
      case 'object':
        return membersOf(all, compiler, dialect.members, dialect.inner ?? dialect);
    }
  }
}
