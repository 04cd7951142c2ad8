/** What a turn's prompt has that another turn's has not, and the other way round. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { RawTurn } from '../../protocol.ts';
import { comparedFlow } from './compared-flow.ts';
import { promptTokens } from './prompt-flow.ts';
import { TokenFlow } from './token-flow.tsx';

interface ComparedPartProps {
  readonly before: RawTurn;
  readonly after: RawTurn;
}

export function ComparedPart({ before, after }: ComparedPartProps) {
  const foldsSame = useSignal(true);
  const flow = useMemo(
    () => comparedFlow(promptTokens(before), promptTokens(after), foldsSame.value),
    [before, after, foldsSame.value],
  );
  const { removed, added, same } = flow;
  return (
    <section class="part" aria-label={`Prompt of turn ${after.turn} against turn ${before.turn}`}>
      <header>
        <h2>
          Prompt of turn {after.turn} against turn {before.turn}
        </h2>
        <span class="small">
          {added > 0 && <span class="token added">{added.toLocaleString('en')} added</span>}{' '}
          {removed > 0 && <span class="token removed">{removed.toLocaleString('en')} removed</span>}{' '}
          <span class="quiet">{same.toLocaleString('en')} tokens that both have</span>
        </span>
        <span class="grow" />
        <label>
          <input
            type="checkbox"
            checked={!foldsSame.value}
            onChange={event => {
              foldsSame.value = !event.currentTarget.checked;
            }}
          />
          Show what both have
        </label>
      </header>
      <TokenFlow label={`Tokens of both prompts`} flow={flow} />
    </section>
  );
}
