/** A question, and all that came of it. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Knobs } from '../../protocol.ts';
import { announce } from '../shell/announcer.tsx';
import { attempt } from '../shell/trouble.tsx';
import { askQuestion } from './actions.ts';
import { ItemView } from './item.tsx';
import type { ExchangeState, Item } from './items.ts';
import type { Exchange } from './log.ts';
import { Prose } from './prose.tsx';
import { QuestionEditor } from './question-editor.tsx';

interface ExchangeProps {
  readonly dialogue: string;
  readonly exchange: Exchange;
  /** Of the next question, which an edit or a rerun is. */
  readonly knobs: Knobs;
  /** A run goes on in this dialogue, so that nothing can be asked. */
  readonly busy: boolean;
}

export function ExchangeView({ dialogue, exchange, knobs, busy }: ExchangeProps) {
  const editing = useSignal(false);
  const { question, seq } = exchange;
  useEndAnnounced(exchange);
  const askAgain = (text: string) => {
    editing.value = false;
    void attempt(() => askQuestion(dialogue, text, knobs, seq));
  };
  return (
    <article class="exchange" tabIndex={-1} aria-label={`Question: ${question.slice(0, 80)}`}>
      {editing.value ? (
        <QuestionEditor
          question={question}
          onAsk={askAgain}
          onCancel={() => {
            editing.value = false;
          }}
        />
      ) : (
        <div class="question">
          <p class="as-is">{question}</p>
          <div class="actions">
            <button
              type="button"
              class="plain"
              disabled={busy}
              data-does="edit"
              title="Edit the question and ask it anew; what follows it is cut off"
              onClick={() => {
                editing.value = true;
              }}
            >
              Edit
            </button>
            <button
              type="button"
              class="plain"
              disabled={busy}
              title="Ask it again with the knobs as they are now; what follows it is cut off"
              onClick={() => askAgain(question)}
            >
              Rerun
            </button>
          </div>
        </div>
      )}
      {exchange.items.value.map((item, at) => (
        <ItemView key={at} item={item} dialogue={dialogue} exchange={exchange} />
      ))}
      <End state={exchange.state.value} items={exchange.items.value} />
    </article>
  );
}

function End({ state, items }: { readonly state: ExchangeState; readonly items: readonly Item[] }) {
  if (state.phase === 'running')
    return (
      <p class="working" aria-hidden="true">
        {items.length === 0 ? 'starting…' : '…'}
      </p>
    );
  if (state.phase === 'failed')
    return (
      <p class="note bad">
        <strong>{state.code}</strong>: {state.message}
      </p>
    );
  const { answer, reason } = state;
  return (
    <>
      {answer.trim() !== '' && answer.trim() !== lastText(items) && (
        <div class="text">
          <Prose text={answer} live={false} />
        </div>
      )}
      {reason !== 'answered' && <p class="note">{endings[reason]}</p>}
    </>
  );
}

/** What the model said in its last turn. */
function lastText(items: readonly Item[]): string {
  return items
    .slice(items.findLastIndex(({ kind }) => kind === 'turn') + 1)
    .flatMap(item => (item.kind === 'text' ? [item.text.value] : []))
    .join('')
    .trim();
}

const endings: Readonly<Record<Exclude<(ExchangeState & { phase: 'ended' })['reason'], 'answered'>, string>> =
  {
    no_answer: 'The model wrote no words, asked twice: the results stand in for an answer.',
    round_limit: 'The limit of rounds was reached.',
    length: 'The answer was cut: the context is full, or the limit of tokens was reached.',
    repetition: 'The model repeated itself without end and was stopped.',
    limit: 'A limit of the run was reached.',
    calls: 'Calls are left to whoever asked.',
    aborted: 'Stopped.',
  };

/** Tells that a run which went on before our eyes has ended, and with what. */
function useEndAnnounced({ state }: Exchange): void {
  const before = useRef(state.peek().phase);
  useSignalEffect(() => {
    const now = state.value;
    if (before.current === 'running' && now.phase === 'ended')
      announce(`Answer: ${now.answer.slice(0, 400)}`);
    if (before.current === 'running' && now.phase === 'failed') announce(`The run failed: ${now.message}`);
    before.current = now.phase;
  });
}
