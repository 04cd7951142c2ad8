/** What one way of reading has made of a completion up to a step, and what the step itself led to. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { repairs as repairWords } from '../../../../parsers/repairs.ts';
import type { LabReading } from '../../lab/lab-protocol.ts';
import { eventWords, readSoFar } from './read-so-far.ts';

interface ReadingCardProps {
  readonly reading: LabReading;
  /** How many steps are taken. */
  readonly at: number;
  /** Its spans are shown in the pieces. */
  readonly tinted: boolean;
  readonly onTint: () => void;
}

/** So many characters of a text are shown. */
const mostShown = 4000;

export function ReadingCard({ reading, at, tinted, onTint }: ReadingCardProps) {
  const { formats, steps } = reading;
  const read = useMemo(
    () => readSoFar(steps.filter(({ piece }) => piece < at).flatMap(({ events }) => events)),
    [steps, at],
  );
  const led = eventWords(steps.find(({ piece }) => piece === at - 1)?.events ?? []);
  const { content, reasoning, calls, problems, repairs } = read;
  const nothing = content + reasoning === '' && calls.length + problems.length + repairs.length === 0;
  return (
    <section class={`reading-card${tinted ? ' tinted' : ''}`} aria-label={`Read as ${formats.join(', ')}`}>
      <header>
        <h3>{formats.join(', ')}</h3>
        <button type="button" class="plain small" aria-pressed={tinted} onClick={onTint}>
          {tinted ? 'Marked' : 'Mark'}
        </button>
      </header>
      {nothing && <p class="quiet">Nothing is read yet.</p>}
      <dl>
        {reasoning !== '' && (
          <Entry kind="thought">
            <pre class="read-reasoning">{clipped(reasoning)}</pre>
          </Entry>
        )}
        {content !== '' && (
          <Entry kind="text">
            <pre class="read-text">{clipped(content)}</pre>
          </Entry>
        )}
        {calls.map(({ name, argumentsText, state }, number) => (
          <Entry key={`call ${number}`} kind={stateWords[state]} bad={state === 'failed'}>
            <pre class={state === 'failed' ? 'read-problem' : 'read-call'}>
              <b>{name}</b> {clipped(argumentsText)}
            </pre>
          </Entry>
        ))}
        {problems.map(({ problem, message }, number) => (
          <Entry key={`problem ${number}`} kind={problem} bad>
            {clipped(message)}
          </Entry>
        ))}
        {repairs.map(repair => (
          <Entry key={repair} kind={repair}>
            <span class="quiet">{repairWords[repair]}</span>
          </Entry>
        ))}
      </dl>
      <p class="led small">
        <span class="quiet">This step: </span>
        {led.length === 0 ? <span class="quiet">nothing</span> : clipped(led.join('; '))}
      </p>
    </section>
  );
}

const stateWords = { open: 'call, goes on', whole: 'call', failed: 'call, not run' } as const;

interface EntryProps {
  readonly kind: string;
  readonly bad?: boolean;
  readonly children: ComponentChildren;
}

function Entry({ kind, bad = false, children }: EntryProps) {
  return (
    <div>
      <dt class={bad ? 'bad' : undefined}>{kind}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function clipped(text: string): string {
  if (text.length <= mostShown) return text;
  return `${text.slice(0, mostShown / 2)} … ${text.length - mostShown} characters … ${text.slice(-mostShown / 2)}`;
}
