/** One turn: the prompt that the model got, what it wrote, and what was read of that. */
import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Piece } from '../../../../parsers/parser.ts';
import type { RawTurn } from '../../protocol.ts';
import { openInLab } from '../lab/completion-state.ts';
import { completionFlow, writtenFlow } from './completion-flow.ts';
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
  const counted = (tokens: number) => tokens.toLocaleString('en');
  const cost = usage && `${counted(usage.reused)} reused, ${counted(usage.evaluated)} evaluated`;
  if (!tokens) {
    const pieces = `${prompt.length} pieces, because this model has no tokenizer here`;
    return usage && usage.prompt > 0
      ? `${pieces}; the server counted ${counted(usage.prompt)} tokens: ${cost}`
      : pieces;
  }
  return cost
    ? `${counted(tokens.length)} tokens: ${cost}`
    : `${counted(tokens.length)} tokens; what was reused is told when the turn has ended`;
}

interface CompletionPartProps {
  readonly turn: RawTurn;
  /** As long as there is no completion. */
  readonly written: readonly Piece[];
}

export function CompletionPart({ turn, written }: CompletionPartProps) {
  const { completion } = turn;
  return (
    <section class="part completion" aria-label="Completion">
      <header>
        <h2>Completion</h2>
        <span class="quiet small">{completionWords(turn, written.length)}</span>
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
      ) : written.length > 0 ? (
        <Writing pieces={written} />
      ) : (
        <p class="quiet">Nothing is written yet; a turn that failed has no completion.</p>
      )}
    </section>
  );
}

function completionWords({ usage, completion }: RawTurn, written: number): string {
  if (!completion)
    return written === 0 ? '' : `${written.toLocaleString('en')} pieces so far; it is read when it has ended`;
  const generated = usage.reduce((sum, one) => sum + one.generated, 0);
  return `${generated.toLocaleString('en')} tokens generated, ${endWords[completion.reason]}`;
}

const endWords = { stop: 'ended by the model', length: 'cut by the token limit', aborted: 'stopped' };

function Writing({ pieces }: { readonly pieces: readonly Piece[] }) {
  const flow = useMemo(() => writtenFlow(pieces), [pieces]);
  return (
    <div class="read">
      <TokenFlow label="Pieces of the completion" flow={flow} grows />
    </div>
  );
}

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
