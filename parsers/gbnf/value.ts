/** From a schema to the expression of its values: what can be said of them is said, and the rest is reported. */
import type { JsonValue } from '../parser.ts';
import type { Dialect, Members } from './dialect.ts';
import { numberOf } from './digits.ts';
import {
  choice,
  type Expression,
  letters,
  never,
  oneOfTexts,
  optional,
  type Rule,
  repeat,
  sequence,
} from './expression.ts';
import { type Kind, kindOf, kindsOf, listedValues } from './facets.ts';
import { fitsBesides } from './fits.ts';
import { listOf } from './list.ts';
import { listedMembers, membersOf } from './members.ts';
import { overlaps } from './overlap.ts';
import { isObject, isOpen, keyOf, type Node, type Nodes, type Schemas } from './schema.ts';
import { textOf } from './text.ts';
import { reportMistakable, reportUnsayable } from './unsayable.ts';

/** One tool's schema on its way into a grammar. */
export interface Compiler {
  readonly schemas: Schemas;
  /** The values for which all these schemas hold. */
  value(nodes: Nodes, dialect: Dialect): Expression;
  /** The arguments of a call, written as its syntax has them; `dialect` is that of their values. */
  arguments(members: Members, dialect: Dialect): Expression;
  /** Says that there is no way to write what the schema at this place is for. */
  leaveOut(node: Node): void;
  /** Where in the schema each rule comes from. */
  readonly places: ReadonlyMap<Rule, Node>;
}

const anyValues = new WeakMap<Dialect, Expression>();

/** Any value at all. */
function anyValue(dialect: Dialect): Expression {
  const known = anyValues.get(dialect);
  if (known) return known;
  const made: Rule = { hint: `${dialect.name} value`, body: never };
  const reference: Expression = { kind: 'rule', rule: made };
  anyValues.set(dialect, reference);
  const { text, members, write } = dialect;
  const innerDialect = dialect.inner ?? dialect;
  const inner = anyValue(innerDialect);
  const listed = (item: Expression, between: Expression) =>
    optional(sequence(item, repeat(sequence(between, item), 0)));
  const member = choice(...members.others([]).map(one => sequence(one.before, inner, one.after)));
  made.body = choice(
    sequence(members.open, listed(member, members.between), members.close),
    sequence(letters('['), listed(inner, innerDialect.separator ?? letters(', ')), letters(']')),
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
  const checked = new Set<Node>();
  const compiler: Compiler = { schemas, value, arguments: args, leaveOut, places };
  return compiler;

  function value(nodes: Nodes, dialect: Dialect): Expression {
    const [place] = nodes;
    if (!place || nodes.every(isOpen)) return anyValue(dialect);
    const key = `${dialect.name} ${keyOf(nodes)}`;
    const known = rules.get(key);
    if (known) return known;
    const made = ruleAt(place, `${name} ${place.pointer.split('/').at(-1)}`);
    rules.set(key, made);
    const found = alternatives(nodes);
    if (dialect.bare) reportMistakable(found, report);
    made.rule.body = choice(...found.map(all => alternative(all, dialect)));
    return made;
  }

  function args(members: Members, dialect: Dialect): Expression {
    const { root } = schemas;
    const made = ruleAt(root, name);
    made.rule.body = choice(
      ...alternatives([root]).map(all => {
        const listed = fittingValues(all, new Set(['object']));
        if (listed)
          return choice(
            ...listed.filter(one => isObject(one)).map(one => listedMembers(one, members, dialect)),
          );
        return kindsOf(all, report).has('object') ? membersOf(all, compiler, members, dialect) : never;
      }),
    );
    return made;
  }

  function leaveOut(node: Node): void {
    places.set({ hint: '', body: never }, node);
  }

  function ruleAt(place: Node, hint: string) {
    const made = { hint, body: never };
    places.set(made, place);
    return { kind: 'rule', rule: made } as const;
  }

  function alternatives(nodes: Nodes): readonly Nodes[] {
    const found = schemas.alternatives(nodes);
    for (const all of found) {
      for (const node of all) {
        if (node.keywords.oneOf === undefined || checked.has(node)) continue;
        checked.add(node);
        if (overlaps(node, schemas)) report(node, 'oneOf');
      }
    }
    return found;
  }

  function alternative(all: Nodes, dialect: Dialect): Expression {
    const kinds = kindsOf(all, report);
    const listed = fittingValues(all, kinds);
    if (listed) return oneOfTexts(listed.map(dialect.write));
    return choice(...[...kinds].map(kind => ofKind(kind, kinds, all, dialect)));
  }

  /** The listed values that fit what else is said; undefined where none are listed. */
  function fittingValues(all: Nodes, kinds: ReadonlySet<Kind>): readonly JsonValue[] | undefined {
    const listed = listedValues(all, report);
    reportUnsayable(all, listed ? new Set(listed.map(kindOf)) : kinds, listed !== undefined, report);
    return listed?.filter(one => fitsBesides(one, all, schemas));
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
