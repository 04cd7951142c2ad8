/** What one prompt has that another one has not: by their tokens, or by their words where there are none. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { comparedFlow } from '../raw/compared-flow.ts';
import type { ShownToken } from '../raw/prompt-flow.ts';
import { TokenFlow } from '../raw/token-flow.tsx';
import type { Rendered } from './rendered.ts';

export function ComparedPrompts({ prompts }: { readonly prompts: readonly Rendered[] }) {
  const left = useSignal('');
  const right = useSignal('');
  const before = prompts.find(({ format }) => format === left.value) ?? prompts[0]!;
  const after =
    prompts.find(({ format }) => format === right.value && format !== before.format) ??
    prompts.find(({ format }) => format !== before.format)!;
  const choice = (label: string, chosen: Rendered, choose: (format: string) => void) => (
    <select aria-label={label} value={chosen.format} onChange={event => choose(event.currentTarget.value)}>
      {prompts.map(({ format }) => (
        <option key={format} value={format}>
          {format}
        </option>
      ))}
    </select>
  );
  return (
    <section class="part" aria-label={`${after.format} against ${before.format}`}>
      <header>
        <h2>
          {after.format} against {before.format}
        </h2>
        <span class="grow" />
        {choice('From', before, format => {
          left.value = format;
        })}
        <span class="quiet">to</span>
        {choice('To', after, format => {
          right.value = format;
        })}
      </header>
      <ComparedFlow before={before.tokens} after={after.tokens} />
    </section>
  );
}

interface ComparedFlowProps {
  readonly before: readonly ShownToken[];
  readonly after: readonly ShownToken[];
}

export function ComparedFlow({ before, after }: ComparedFlowProps) {
  const flow = useMemo(() => comparedFlow(before, after, true), [before, after]);
  return (
    <>
      <p class="small counts">
        <span class="token added">+ {flow.added.toLocaleString('en')}</span>{' '}
        <span class="token removed">− {flow.removed.toLocaleString('en')}</span>{' '}
        <span class="quiet">{flow.same.toLocaleString('en')} in both</span>
      </p>
      <TokenFlow label="Tokens of both prompts" flow={flow} />
    </>
  );
}
