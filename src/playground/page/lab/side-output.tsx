/** What the model wrote on one side, piece by piece, and what was read of it. */
import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { readSpans } from '../../read-spans.ts';
import { promptFlow } from '../raw/prompt-flow.ts';
import { TokenFlow } from '../raw/token-flow.tsx';
import { Reading } from '../raw/turn-view.tsx';
import { inWords } from './in-words.ts';
import { readSoFar } from './read-so-far.ts';
import { clipped } from './reading-card.tsx';
import type { SideState } from './run-sides.ts';

export function SideOutput({ state: { value: state } }: { readonly state: Signal<SideState> }) {
  const { phase, failure, usage, pieces, reason, prompt, tokens } = state;
  return (
    <div class="output">
      <p class="quiet small" role="status">
        {phase === 'waiting' && 'waits'}
        {phase === 'running' && `writes, as ${state.format} …`}
        {phase === 'ended' && endWords(state)}
      </p>
      {failure !== undefined && <p class="bad">{failure}</p>}
      {pieces && reason ? (
        <Written state={state} pieces={pieces} reason={reason} />
      ) : (
        <Streamed state={state} />
      )}
      {prompt && (
        <details>
          <summary>
            Prompt{' '}
            <span class="quiet">
              {tokens !== undefined && `${tokens.toLocaleString('en')} tokens`}
              {usage && `, ${usage.reused.toLocaleString('en')} of them reused`}
            </span>
          </summary>
          <PromptFlow prompt={prompt} />
        </details>
      )}
    </div>
  );
}

function endWords({ format, reason, usage }: SideState): string {
  const end = { stop: 'ended by the model', length: 'cut by the limit', aborted: 'stopped' }[
    reason ?? 'stop'
  ];
  return `as ${format}: ${usage ? `${usage.generated.toLocaleString('en')} tokens, ` : ''}${end}`;
}

function Streamed({ state: { events, phase } }: { readonly state: SideState }) {
  const { content, reasoning, calls } = readSoFar(events);
  if (phase === 'waiting') return null;
  return (
    <>
      {reasoning !== '' && <pre class="read-reasoning">{clipped(reasoning)}</pre>}
      {content !== '' && <pre class="read-text">{clipped(content)}</pre>}
      {calls.map(({ name, argumentsText }, number) => (
        <pre key={number} class="read-call">
          <b>{name}</b> {clipped(argumentsText)}
        </pre>
      ))}
    </>
  );
}

interface WrittenProps {
  readonly state: SideState;
  readonly pieces: NonNullable<SideState['pieces']>;
  readonly reason: NonNullable<SideState['reason']>;
}

function Written({ state: { events }, pieces, reason }: WrittenProps) {
  const completion = useMemo(
    () => ({ pieces, reason, spans: readSpans(pieces, events) }),
    [pieces, reason, events],
  );
  return <Reading completion={completion} />;
}

function PromptFlow({ prompt }: { readonly prompt: NonNullable<SideState['prompt']> }) {
  const flow = useMemo(() => promptFlow({ prompt: inWords(prompt), usage: [] }), [prompt]);
  return (
    <div class="part">
      <TokenFlow label="Words of the prompt" flow={flow} />
    </div>
  );
}
