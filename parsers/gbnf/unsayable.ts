/** The keywords that no grammar of ours says: each is reported where it would matter. */
import { type Kind, kindsOf, listedValues } from './facets.ts';
import { type Nodes, type Report, reportAll } from './schema.ts';

const always = ['not', 'if', '$dynamicRef', '$recursiveRef'];
const byKind: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  object: ['dependentRequired', 'dependentSchemas', 'dependencies', 'propertyNames'],
  array: ['contains', 'uniqueItems', 'unevaluatedItems'],
  integer: ['multipleOf'],
  fraction: ['multipleOf'],
};
/** Of values that are listed, these are not looked at either. */
const unchecked = ['format', 'minProperties', 'maxProperties', 'unevaluatedProperties'];

export function reportUnsayable(all: Nodes, kinds: ReadonlySet<Kind>, listed: boolean, report: Report): void {
  const keywords = [
    ...always,
    ...[...kinds].flatMap(kind => byKind[kind] ?? []),
    ...(listed ? unchecked : []),
  ];
  for (const node of all) {
    for (const keyword of keywords) {
      const value = node.keywords[keyword];
      if (value === undefined || (keyword === 'uniqueItems' && value === false)) continue;
      if (keyword === 'multipleOf' && value === 1) continue;
      report(node, keyword);
      if (keyword === 'if') for (const branch of ['then', 'else']) reportIf(node, branch);
    }
  }

  function reportIf(node: Nodes[number], keyword: string): void {
    if (node.keywords[keyword] !== undefined) report(node, keyword);
  }
}

const saidOfOthers = [
  ...['oneOf', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  ...[
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'minProperties',
    'maxProperties',
  ],
];

/** What is said of a number or a list does not hold where any text will do, and one that looks like it is read as it. */
export function reportMistakable(alternatives: readonly Nodes[], report: Report): void {
  const silent = () => {};
  const free = alternatives.filter(all => !listedValues(all, silent));
  if (!free.some(all => kindsOf(all, silent).has('string'))) return;
  for (const all of alternatives) reportAll(all, saidOfOthers, report);
}
