/** A call of a tool, from its first letter to its result. */
import { exactText } from '../../../exact-text.ts';
import type { ToolProgress } from '../../../tools.ts';
import { Approval } from './approval.tsx';
import type { CallItem, CallState } from './items.ts';
import { jsonLines } from './json-lines.ts';
import { Clipped, ResultView } from './result.tsx';

export function CallCard({ item, dialogue }: { readonly item: CallItem; readonly dialogue: string }) {
  const state = item.state.value;
  const { tone, text } = status(state);
  return (
    <section
      class={`card call ${tone === 'asks' ? 'asks' : ''}`}
      aria-label={`Call of ${item.name}`}
      data-phase={state.phase}
    >
      <header>
        <code class="name">{exactText(item.name)}</code>
        <span class={`status ${tone}`}>{text}</span>
      </header>
      <Arguments text={item.argumentsText.value} whole={state.phase !== 'writing'} />
      {item.repairs.value.length > 0 && (
        <p class="small quiet">Mended to read it: {[...new Set(item.repairs.value)].join(', ')}.</p>
      )}
      {state.phase === 'running' && state.progress && <Progress {...state.progress} />}
      {state.phase === 'asking' && <Approval state={state} dialogue={dialogue} />}
      {state.phase === 'unreadable' && (
        <>
          <p class="small">{state.message}</p>
          <Clipped text={state.raw} label="As it was written" />
        </>
      )}
      {state.phase === 'rejected' && state.reason !== undefined && (
        <p class="small">Reason: {state.reason}</p>
      )}
      {state.phase === 'ended' && <ResultView state={state} />}
    </section>
  );
}

/** Every digit as it was written, and nothing hidden. */
function Arguments({ text, whole }: { readonly text: string; readonly whole: boolean }) {
  if (whole && /^\s*(\{\s*\})?\s*$/.test(text)) return <p class="small quiet">No arguments.</p>;
  return <Clipped text={exactText(jsonLines(text), '\n')} />;
}

function Progress({ progress, total, message }: ToolProgress) {
  const of = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return (
    <p class="progress small">
      <progress aria-label="Progress" {...(total === undefined ? {} : { value: progress, max: total })} />
      <span>
        {of}
        {message === undefined ? '' : `: ${exactText(message)}`}
      </span>
    </p>
  );
}

function status(state: CallState): { readonly tone: string; readonly text: string } {
  switch (state.phase) {
    case 'writing':
      return { tone: 'live', text: 'is being written…' };
    case 'written':
      return { tone: 'live', text: 'waits' };
    case 'asking':
      return { tone: 'asks', text: 'needs your approval' };
    case 'running':
      return { tone: 'live', text: 'runs…' };
    case 'stopped':
      return { tone: 'quiet', text: 'stopped' };
    case 'rejected':
      return { tone: 'bad', text: 'rejected' };
    case 'unreadable':
      return { tone: 'bad', text: state.problem };
    case 'ended':
      if (state.source === 'repeat') return { tone: 'quiet', text: 'was made before: its first result' };
      if (state.source === 'rejection') return { tone: 'bad', text: 'rejected' };
      return state.result.isError ? { tone: 'bad', text: 'failed' } : { tone: 'good', text: 'done' };
  }
}
