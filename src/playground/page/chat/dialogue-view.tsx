/** A dialogue: what was said, the context's bill, where to write, and the knobs of the next question. */
import type { Knobs } from '../../protocol.ts';
import { useBill } from '../knobs/bill.ts';
import { chooseKnobs, chosenKnobs } from '../knobs/chosen.ts';
import { KnobsPanel } from '../knobs/panel.tsx';
import { TokenBar } from '../knobs/token-bar.tsx';
import { dialogues, playState } from '../shell/news.ts';
import { attempt } from '../shell/trouble.tsx';
import { askQuestion, stopRun } from './actions.ts';
import { Composer } from './composer.tsx';
import { nameOf } from './dialogue-list.tsx';
import { ExchangeView } from './exchange.tsx';
import type { OpenDialogue } from './open-dialogue.ts';
import { Panel, PanelButton } from './panels.tsx';
import { asWritten } from './prose.tsx';
import { useStickyEnd } from './scroll.ts';

export function DialogueView({ open: { id, log } }: { readonly open: OpenDialogue }) {
  const exchanges = log.exchanges.value;
  const busy = log.running.value;
  const knobs = chosenKnobs(id, exchanges.at(-1)?.knobs);
  const bill = useBill(id, knobs, exchanges.length, busy);
  const { list, atEnd, toEnd } = useStickyEnd();
  const state = playState.value;
  const summary = dialogues.value?.find(dialogue => dialogue.id === id);

  async function send(question: string): Promise<boolean> {
    let sent = false;
    await attempt(async () => {
      await askQuestion(id, question, knobs);
      sent = true;
    });
    if (sent) toEnd();
    return sent;
  }

  return (
    <>
      <section class="dialogue" aria-label="Dialogue">
        <div class="head">
          <PanelButton side="dialogues">☰ Dialogues</PanelButton>
          <h1>{summary ? nameOf(summary) : ''}</h1>
          <button
            type="button"
            class="plain"
            aria-pressed={asWritten.value}
            title="Show what the model wrote as it stands, not as Markdown"
            onClick={() => {
              asWritten.value = !asWritten.value;
            }}
          >
            As written
          </button>
          <PanelButton side="knobs">Knobs</PanelButton>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by the keyboard. */}
        <section class="log" ref={list} tabIndex={0} aria-label="What was said">
          <div class="exchanges">
            {exchanges.length === 0 && <Beginning knobs={knobs} />}
            {exchanges.map(exchange => (
              <ExchangeView key={exchange.seq} dialogue={id} exchange={exchange} knobs={knobs} busy={busy} />
            ))}
          </div>
        </section>
        <div class="foot">
          {!atEnd.value && (
            <button type="button" class="to-end" onClick={toEnd}>
              ↓ to the end
            </button>
          )}
          <TokenBar {...bill} />
          <Composer busy={busy} onAsk={send} onStop={() => void attempt(() => stopRun(id))} />
        </div>
      </section>
      <Panel side="knobs" title="Knobs">
        {state && (
          <KnobsPanel state={state} knobs={knobs} bill={bill.bill} onChange={next => chooseKnobs(id, next)} />
        )}
      </Panel>
    </>
  );
}

function Beginning({ knobs }: { readonly knobs: Knobs }) {
  const tools = playState.value?.tools.filter(({ name }) => !knobs.toolsOff?.includes(name)) ?? [];
  return (
    <div class="beginning">
      <p>Ask something. Every prompt, every token and every call can be looked at afterwards.</p>
      {tools.length > 0 && (
        <p class="quiet">
          The model may call{' '}
          {tools
            .slice(0, 8)
            .map(({ name }) => name)
            .join(', ')}
          {tools.length > 8 ? ` and ${tools.length - 8} more` : ''}.
        </p>
      )}
      <p class="quiet small">
        <kbd>Enter</kbd> asks, <kbd>Shift</kbd>+<kbd>Enter</kbd> makes a new line, <kbd>?</kbd> shows all
        keys.
      </p>
    </div>
  );
}
