/** The keywords that no grammar of ours says: each is reported where it would matter. */
import { type Kind, kindsOf, listedValues } from './facets.ts';
import { type Nodes, type Report, reportAll } from './schema.ts';

const always: readonly Kind[] = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object'];
/** The kinds of values that each is about. */
const kindsOfKeyword: Readonly<Record<string, readonly Kind[]>> = {
  not: always,
  if: always,
  $dynamicRef: always,
  $recursiveRef: always,
  dependentRequired: ['object'],
  dependentSchemas: ['object'],
  dependencies: ['object'],
  propertyNames: ['object'],
  contains: ['array'],
  uniqueItems: ['array'],
  unevaluatedItems: ['array'],
  multipleOf: ['integer', 'fraction'],
};
/** Of values that are listed, these are not looked at either. */
const unchecked = ['format', 'minProperties', 'maxProperties', 'unevaluatedProperties'];

export function reportUnsayable(all: Nodes, kinds: ReadonlySet<Kind>, listed: boolean, report: Report): void {
  for (const node of all) {
    const { keywords } = node;
    for (const keyword of Object.keys(keywords)) {
      const about = Object.hasOwn(kindsOfKeyword, keyword) ? kindsOfKeyword[keyword] : undefined;
      if (!about?.some(kind => kinds.has(kind)) && !(listed && unchecked.includes(keyword))) continue;
      if (keyword === 'uniqueItems' && keywords.uniqueItems === false) continue;
      if (keyword === 'multipleOf' && keywords.multipleOf === 1) continue;
      report(node, keyword);
      if (keyword === 'if') reportAll([node], ['then', 'else'], report);
    }
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
