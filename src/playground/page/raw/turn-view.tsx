/** One turn: the prompt that the model got, what it wrote, and what was read of that. */
import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { RawTurn } from '../../protocol.ts';
import { openInLab } from '../lab/completion-state.ts';
import { completionFlow } from './completion-flow.ts';
import { CopyButton } from './copy-button.tsx';
import type { FlowHandle } from './flow-keys.ts';
import { Legend } from './legend.tsx';
import { promptFlow, promptTokens } from './prompt-flow.ts';
import { ReadingList } from './reading-list.tsx';
import { TokenFlow } from './token-flow.tsx';

export function PromptPart({ turn }: { readonly turn: RawTurn }) {
  const flow = useMemo(() => promptFlow(turn), [turn]);
  const handle = useSignal<FlowHandle | undefined>(undefined);
  return (
    <section class="part" aria-label="Prompt">
      <header>
        <h2>Prompt</h2>
        <span class="quiet small">{promptWords(turn)}</span>
        <span class="grow" />
        <CopyButton
          what="the prompt"
          text={() =>
            promptTokens(turn)
              .map(({ text }) => text)
              .join('')
          }
        />
      </header>
      <Legend flow={flow} handle={handle} />
      <TokenFlow label="Tokens of the prompt" flow={flow} handle={handle} />
    </section>
  );
}

function promptWords({ tokens, prompt, usage: [usage] }: RawTurn): string {
  if (!tokens) return `${prompt.length} pieces; this model has no tokenizer here`;
  const count = `${tokens.length.toLocaleString('en')} tokens`;
  if (!usage) return `${count}, being evaluated`;
  return `${count}: ${usage.reused.toLocaleString('en')} reused, ${usage.evaluated.toLocaleString('en')} evaluated`;
}

export function CompletionPart({ turn }: { readonly turn: RawTurn }) {
  const { completion } = turn;
  return (
    <section class="part completion" aria-label="Completion">
      <header>
        <h2>Completion</h2>
        <span class="quiet small">{completionWords(turn)}</span>
        <span class="grow" />
        {completion && (
          <>
            <button
              type="button"
              class="plain small"
              onClick={() =>
                openInLab({ ...completion, prompt: turn.prompt, format: turn.format, controlTokens: 'model' })
              }
            >
              Step through it
            </button>
            <CopyButton
              what="the completion"
              text={() => completion.pieces.map(({ text }) => text).join('')}
            />
          </>
        )}
      </header>
      {completion ? (
        <Reading completion={completion} />
      ) : (
        <p class="quiet">It is shown as soon as the turn has ended; a turn that failed has none.</p>
      )}
    </section>
  );
}

function completionWords({ usage, completion }: RawTurn): string {
  if (!completion) return '';
  const generated = usage.reduce((sum, one) => sum + one.generated, 0);
  return `${generated.toLocaleString('en')} tokens generated, ${endWords[completion.reason]}`;
}

const endWords = { stop: 'ended by the model', length: 'cut by the token limit', aborted: 'stopped' };

export function Reading({ completion }: { readonly completion: NonNullable<RawTurn['completion']> }) {
  const flow = useMemo(() => completionFlow(completion), [completion]);
  const looked = useSignal<number | undefined>(undefined);
  const pointed = useSignal<number | undefined>(undefined);
  const handle = useSignal<FlowHandle | undefined>(undefined);
  const at = useComputed(() => (looked.value === undefined ? [] : flow.spansAt(looked.value)));
  const lit = pointed.value === undefined ? undefined : flow.ranges[pointed.value];
  return (
    <div class="read">
      <TokenFlow label="Pieces of the completion" flow={flow} looked={looked} lit={lit} handle={handle} />
      <ReadingList
        completion={completion}
        at={at.value}
        onPoint={span => {
          pointed.value = span;
        }}
        onChoose={span => handle.value?.go(flow.ranges[span]?.start ?? 0)}
      />
    </div>
  );
}
