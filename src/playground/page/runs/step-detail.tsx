/** One step of a recording, with all that is known of it. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { readSpans } from '../../read-spans.ts';
import type { RecordedRuns } from '../../runs/runs-protocol.ts';
import { ComparedFlow } from '../lab/compared-prompts.tsx';
import { openInLab } from '../lab/completion-state.ts';
import { inWords } from '../lab/in-words.ts';
import { CopyButton } from '../raw/copy-button.tsx';
import { promptFlow, promptTokens } from '../raw/prompt-flow.ts';
import { TokenFlow } from '../raw/token-flow.tsx';
import { Reading } from '../raw/turn-view.tsx';
import { LongText } from './long-text.tsx';
import type { CallStep, Step, TurnStep } from './steps.ts';

interface StepDetailProps {
  readonly step: Step;
  /** The turn before it. */
  readonly before: TurnStep | undefined;
  readonly header: RecordedRuns['header'];
}

export function StepDetail({ step, before, header }: StepDetailProps) {
  switch (step.kind) {
    case 'question':
      return <Text title="Question" text={step.text} />;
    case 'answer':
      return (
        <Text
          title={step.reason === 'answered' ? 'Answer' : `The run ended: ${step.reason}`}
          text={step.text}
        />
      );
    case 'note':
      return <p class={step.bad ? 'bad' : undefined}>{step.text}</p>;
    case 'call':
      return <CallDetail step={step} />;
    case 'turn':
      return <TurnDetail key={step.number} step={step} before={before} header={header} />;
  }
}

function Text({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section class="part" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="grow" />
        <CopyButton what="it" text={() => text} />
      </header>
      {text === '' ? <p class="quiet">No words.</p> : <LongText text={text} />}
    </section>
  );
}

function CallDetail({ step: { call, result, source, whole, approval } }: { readonly step: CallStep }) {
  return (
    <>
      <section class="part" aria-label="Call">
        <header>
          <h2>Call of {call.name}</h2>
        </header>
        <LongText text={call.argumentsText} />
        {approval !== undefined && <p class="small">{approval}</p>}
      </section>
      <section class="part" aria-label="Result">
        <header>
          <h2 class={result?.isError ? 'bad' : undefined}>{result?.isError ? 'Error' : 'Result'}</h2>
          <span class="quiet small">{source !== undefined && sourceWords[source]}</span>
        </header>
        {result ? <LongText text={result.content} /> : <p class="quiet">There is none.</p>}
        {whole !== undefined && (
          <details>
            <summary>All of it, of which the model saw a part</summary>
            <LongText text={whole} />
          </details>
        )}
      </section>
    </>
  );
}

const sourceWords: Readonly<Record<string, string>> = {
  tool: 'of the tool',
  repeat: 'of the same call before',
  rejection: 'because it was refused',
  problem: 'because it could not be read',
};

interface TurnDetailProps {
  readonly step: TurnStep;
  readonly before: TurnStep | undefined;
  readonly header: RecordedRuns['header'];
}

function TurnDetail({ step, before, header }: TurnDetailProps) {
  const { prompt, tokens, purpose, number, usage } = step;
  const compares = useSignal(false);
  const words = useMemo(() => inWords(prompt), [prompt]);
  const wordsBefore = useMemo(() => before && inWords(before.prompt), [before]);
  const flow = useMemo(() => promptFlow({ prompt: words, usage: [] }), [words]);
  const reused = usage[0]?.reused;
  return (
    <>
      <section class="part" aria-label="Prompt">
        <header>
          <h2>
            Prompt of turn {number}, {purpose}
          </h2>
          <span class="quiet small">
            {tokens !== undefined && `${tokens.toLocaleString('en')} tokens`}
            {reused !== undefined && `, ${reused.toLocaleString('en')} reused`}
          </span>
          <span class="grow" />
          {before && (
            <label>
              <input
                type="checkbox"
                checked={compares.value}
                onChange={event => {
                  compares.value = event.currentTarget.checked;
                }}
              />
              Against turn {before.number}
            </label>
          )}
          <CopyButton
            what="the prompt"
            text={() =>
              promptTokens({ prompt })
                .map(({ text }) => text)
                .join('')
            }
          />
        </header>
        {compares.value && wordsBefore ? (
          <ComparedFlow
            before={promptTokens({ prompt: wordsBefore })}
            after={promptTokens({ prompt: words })}
          />
        ) : (
          <TokenFlow label="Words of the prompt" flow={flow} />
        )}
      </section>
      <CompletionDetail step={step} header={header} />
    </>
  );
}

function CompletionDetail({ step, header }: Omit<TurnDetailProps, 'before'>) {
  const { completion, events, usage } = step;
  const read = useMemo(
    () => completion && { ...completion, spans: readSpans(completion.pieces, events) },
    [completion, events],
  );
  const generated = usage.reduce((sum, one) => sum + one.generated, 0);
  const { format, controlTokens } = header.model;
  return (
    <section class="part" aria-label="Completion">
      <header>
        <h2>Completion</h2>
        <span class="quiet small">
          {completion &&
            (usage.length > 0
              ? `${generated.toLocaleString('en')} tokens, ${endWords[completion.reason]}`
              : 'not whole: the turn failed, or the recording ends in it')}
        </span>
        <span class="grow" />
        {completion && completion.pieces.length > 0 && (
          <button
            type="button"
            class="small"
            onClick={() =>
              openInLab({
                ...completion,
                prompt: step.prompt,
                format,
                ...(controlTokens ? { controlTokens } : {}),
                tools: header.tools.map(({ server: _, simplified: __, ...tool }) => tool),
              })
            }
          >
            Step through it in the lab
          </button>
        )}
      </header>
      {read ? (
        <Reading completion={read} />
      ) : (
        <p class="quiet">There is none: the turn failed, or the recording ends in it.</p>
      )}
    </section>
  );
}

const endWords = { stop: 'ended by the model', length: 'cut by the token limit', aborted: 'stopped' };
