/** What the looks of a prompt's tokens mean, each with how many have it, and the way to the next of them. */
import type { ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Flow } from './flow.ts';
import type { FlowHandle } from './flow-keys.ts';
import { originWords } from './prompt-flow.ts';

interface LegendProps {
  readonly flow: Flow;
  readonly handle: ReadonlySignal<FlowHandle | undefined>;
}

const entries = [
  { looks: 'control', words: 'control' },
  ...Object.entries(originWords).map(([origin, words]) => ({ looks: `from-${origin}`, words })),
  { looks: 'reused', words: 'reused' },
  { looks: 'evaluated', words: 'evaluated' },
];

export function Legend({ flow, handle }: LegendProps) {
  const shown = useMemo(() => {
    const places = placesOf(flow);
    return entries.flatMap(entry => {
      const at = places.get(entry.looks);
      return at ? [{ ...entry, at }] : [];
    });
  }, [flow]);
  return (
    <ul class="legend small">
      {shown.map(({ looks, words, at }) => (
        <li key={looks}>
          <button
            type="button"
            class="plain"
            title={`To the next: ${words}`}
            onClick={() => handle.value?.go(nextRun(at, handle.value.cursor))}
          >
            <span class={`token ${looks}`}>{words}</span> {at.length.toLocaleString('en')}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The tokens that have each of the looks. */
function placesOf({ tokens }: Flow): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  let looks: string | undefined;
  let lists: readonly number[][] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.looks !== looks) {
      looks = token.looks;
      lists = looks.split(' ').map(name => places.get(name) ?? []);
      for (const [index, name] of looks.split(' ').entries()) places.set(name, lists[index]!);
    }
    for (const list of lists) list.push(at);
  }
  return places;
}

/** Where tokens that stand together begin, behind the cursor; behind the last of them, the first. */
function nextRun(at: readonly number[], cursor: number): number {
  const starts = at.filter((token, index) => token - 1 !== at[index - 1]);
  return starts.find(token => token > cursor) ?? starts[0] ?? cursor;
}
