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
  const shown = useMemo(
    () =>
      entries
        .map(entry => ({ ...entry, at: tokensWith(flow, entry.looks) }))
        .filter(({ at }) => at.length > 0),
    [flow],
  );
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

function tokensWith(flow: Flow, looks: string): readonly number[] {
  return flow.tokens.flatMap((token, at) => (token.looks.split(' ').includes(looks) ? [at] : []));
}

/** Where tokens that stand together begin, behind the cursor; behind the last of them, the first. */
function nextRun(at: readonly number[], cursor: number): number {
  const starts = at.filter((token, index) => token - 1 !== at[index - 1]);
  return starts.find(token => token > cursor) ?? starts[0] ?? cursor;
}
