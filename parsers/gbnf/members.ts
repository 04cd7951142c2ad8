/** Objects, and the arguments of a call: required members first, then those that may be left out, each at most once. */
import type { JsonValue } from '../parser.ts';
import type { Dialect, Member, Members } from './dialect.ts';
import { choice, type Expression, empty, never, optional, repeat, rule, sequence } from './expression.ts';
import { limits } from './facets.ts';
import { memberNames, memberNodes, requiredNames } from './parts.ts';
import { isObject, isSchema, type Keywords, type Nodes, reportAll } from './schema.ts';
import type { Compiler } from './value.ts';

/** `inner` is the dialect of the members' values. */
export function membersOf(all: Nodes, compiler: Compiler, members: Members, inner: Dialect): Expression {
  const { schemas, value } = compiler;
  const { report } = schemas;
  const required = new Set(requiredNames(all, report));
  const names = memberNames(all, report);
  const declared = names.map(name => {
    const style = members.member(name);
    const nodes = memberNodes(all, name, schemas);
    if (style) return written(style, value(nodes, inner));
    compiler.leaveOut(nodes[0] ?? schemas.root);
    return undefined;
  });
  const count = required.size;
  const needed = declared.slice(0, count);
  const rest = declared.slice(count).filter(one => one !== undefined);
  const others = otherMembers();
  const filled = held();
  if (needed.includes(undefined)) return never;
  const head = needed.map((one, index) => sequence(index === 0 ? empty : members.between, one ?? empty));
  return sequence(members.open, ...head, count > 0 ? following(0) : leading(), members.close);

  function written({ before, after }: Member, inside: Expression): Expression {
    return sequence(before, inside, after);
  }

  /** Any of the optional members from this one on, behind another member. */
  function following(index: number): Expression {
    const own = rest.slice(index).map(one => optional(sequence(members.between, one)));
    return sequence(...own, others ? repeat(sequence(members.between, others), 0) : empty);
  }

  /** The same with nothing before them: one of them is the first, and only later ones follow. */
  function leading(): Expression {
    let tail = others ? repeat(sequence(members.between, others), 0) : empty;
    const firsts: Expression[] = others ? [sequence(others, tail)] : [];
    for (const one of rest.toReversed()) {
      firsts.unshift(sequence(one, tail));
      tail = rule('more', sequence(optional(sequence(members.between, one)), tail));
    }
    if (firsts.length === 0) return filled ? never : empty;
    return filled ? choice(...firsts) : optional(choice(...firsts));
  }

  /**
   * Members that are not declared: where `additionalProperties` or `patternProperties` speak of them, and in an object
   * of which nothing is declared. Elsewhere a schema allows them, but nobody asks for them.
   */
  function otherMembers(): Expression | undefined {
    const silent = all.every(({ keywords }) => keywords.properties === undefined);
    const values: Nodes[] = [];
    const said = all.filter(node => isSchema(node.keywords.additionalProperties));
    const additional = said.map(node => schemas.child(node, 'additionalProperties'));
    const closed = additional.some(node => node.schema === false);
    for (const node of all) {
      const { patternProperties } = node.keywords;
      for (const pattern of Object.keys(isObject(patternProperties) ? patternProperties : {})) {
        report(node, 'patternProperties');
        values.push([schemas.child(node, 'patternProperties', pattern)]);
      }
    }
    if (values.length > 0) reportAll(said, ['additionalProperties'], report);
    if (!closed && (additional.length > 0 || (silent && values.length === 0))) values.push(additional);
    if (values.length === 0) return undefined;
    reportAll(all, ['unevaluatedProperties'], report);
    const inside = choice(...values.map(nodes => value(nodes, inner)));
    return rule('other-member', choice(...members.others(names).map(style => written(style, inside))));
  }

  /** Whether at least one member has to be there. What is said of their number beyond that is reported. */
  function held(): boolean {
    const { min, max } = limits(all, 'minProperties', 'maxProperties', report);
    if (min > Math.max(1, count)) reportAll(all, ['minProperties'], report);
    if (max < count + rest.length || (others && max < Number.POSITIVE_INFINITY))
      reportAll(all, ['maxProperties'], report);
    return min > 0;
  }
}

/** The members of one listed object. */
export function listedMembers(value: Keywords, members: Members, inner: Dialect): Expression {
  const written = Object.entries(value).map(([name, member]) => {
    const style = members.member(name);
    return style ? sequence(style.before, inner.write(member as JsonValue), style.after) : never;
  });
  const between = written.map((one, index) => (index === 0 ? one : sequence(members.between, one)));
  return sequence(members.open, ...between, members.close);
}
