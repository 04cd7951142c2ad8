/** Which tools share words with a text, the best first: BM25 over what the model itself would read of them. */
import MiniSearch from 'minisearch';
import type { ToolDefinition } from '../../parsers/parser.ts';
import { isFields } from '../../templates/check.ts';

export interface RankedTool {
  readonly name: string;
  readonly score: number;
}

/** A name says what a tool is for; a long description mentions a lot besides. */
const weights = { name: 3, title: 2, server: 2, description: 1, properties: 1 };

export function toolRanking(
  tools: readonly ToolDefinition[],
  serverOf: (name: string) => string | undefined = () => undefined,
): (text: string) => RankedTool[] {
  const index = new MiniSearch({
    idField: 'name',
    fields: Object.keys(weights),
    tokenize: words,
    processTerm: word => (fillers.has(word) ? null : singular(word)),
    // "account" finds "accounting"; "conversion" does not find "convert": this is plain.
    searchOptions: { boost: weights, prefix: word => word.length > 3 },
  });
  index.addAll(
    tools.map(({ name, description = '', annotations, inputSchema }) => ({
      name,
      title: annotations?.title ?? '',
      server: serverOf(name) ?? '',
      description,
      properties: propertiesOf(inputSchema).join(' '),
    })),
  );
  return text => index.search(text).map(({ id, score }) => ({ name: String(id), score }));
}

function propertiesOf(schema: unknown): readonly string[] {
  return isFields(schema) && isFields(schema.properties) ? Object.keys(schema.properties) : [];
}

/** `createPullRequest`, `create_pull_request` and `Create pull-request` are the same three words. */
function words(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const apart = plain.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return apart.match(/\p{L}+|\p{N}+/gu) ?? [];
}

function singular(word: string): string {
  if (word.length < 4) return word;
  return word.replace(/(?<=..)ies$/, 'y').replace(/(?<=[^su])s$/, '');
}

/** Words that stand in any question and in any description. */
const fillers = new Set(
  `a about all also an and any are as at be but by can could did do does for from get give had has have how i if in into is it its
  me my not of on one or our out please s should so some t tell than that the their them then there these they this to up us use
  used using want was we were what when where which who why will with would you your`.split(/\s+/),
);
