/** Two prompts as one flow of tokens: what only one of them has is marked, and of what both have the beginning and the end are shown. */
import { type Change, diff } from './diff.ts';
import type { Flow, FlowToken, TokenFacts } from './flow.ts';
import { type ShownToken, tokenFacts } from './prompt-flow.ts';

export interface Compared extends Flow {
  readonly removed: number;
  readonly added: number;
  readonly same: number;
}

interface Item extends FlowToken {
  readonly sign: string;
  facts(): TokenFacts;
}

/** Of what both have, so many tokens are shown on either side of a change. */
const around = 24;

export function comparedFlow(
  before: readonly ShownToken[],
  after: readonly ShownToken[],
  foldsSame: boolean,
): Compared {
  const changes = diff(before.map(diffed), after.map(diffed));
  const items = changes.flatMap((change, at) =>
    change.kind === 'same'
      ? sameItems(after, change, foldsSame ? { first: at === 0, last: at === changes.length - 1 } : undefined)
      : changedItems(change.kind === 'removed' ? before : after, change),
  );
  return {
    tokens: items,
    facts: at => items[at]!.facts(),
    margin: at => ({ words: items[at]!.sign, looks: '' }),
    landmarks: items.flatMap(({ sign }, at) => (sign !== ' ' && sign !== items[at - 1]?.sign ? [at] : [])),
    removed: counted(changes, 'removed'),
    added: counted(changes, 'added'),
    same: counted(changes, 'same'),
  };
}

/** A vocabulary may spell a text by two ids, and a text without ids is itself. */
function diffed({ id, text, control }: ShownToken) {
  return { key: id ?? `${control ? 'control' : 'text'} ${text}`, endsLine: text.includes('\n') };
}

function counted(changes: readonly Change[], kind: Change['kind']): number {
  return changes.reduce((sum, change) => (change.kind === kind ? sum + change.count : sum), 0);
}

function changedItems(
  tokens: readonly ShownToken[],
  { kind, at, count }: Exclude<Change, { kind: 'same' }>,
): Item[] {
  return Array.from({ length: count }, (_, offset) => {
    const { text, control } = tokens[at + offset]!;
    return {
      text,
      looks: `${kind}${control ? ' control' : ''}`,
      sign: kind === 'added' ? '+' : '−',
      facts: () => tokenFacts(tokens, at + offset, kind),
    };
  });
}

function sameItems(
  tokens: readonly ShownToken[],
  { after, count }: Extract<Change, { kind: 'same' }>,
  folds: { readonly first: boolean; readonly last: boolean } | undefined,
): Item[] {
  const item = (at: number): Item => {
    const { text, control } = tokens[after + at]!;
    return {
      text,
      // A tint means a change here, whosever text it is.
      looks: control ? 'control' : '',
      sign: ' ',
      facts: () => tokenFacts(tokens, after + at, 'in both'),
    };
  };
  const head = folds?.first ? 0 : around;
  const tail = folds?.last ? 0 : around;
  if (!folds || count <= head + tail + around) return Array.from({ length: count }, (_, at) => item(at));
  const left = count - head - tail;
  const words = `⋯ ${left.toLocaleString('en')} tokens that both have ⋯`;
  const fold: Item = {
    text: words,
    looks: 'fold',
    alone: true,
    sign: ' ',
    facts: () => ({ notes: [words] }),
  };
  const part = (from: number, length: number) => Array.from({ length }, (_, at) => item(from + at));
  return [...part(0, head), fold, ...part(count - tail, tail)];
}
