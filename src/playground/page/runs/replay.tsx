/** A recording, gone through again without model and servers: whether it goes as it went, and where not. */
import { useSignal } from '@preact/signals';
import type { Replayed, ReplayedRun } from '../../runs/runs-protocol.ts';
import { formatNames } from '../lab/format-list.tsx';
import { ask } from '../shell/api.ts';
import { attempt } from '../shell/trouble.tsx';

/** Where it is asked for, and with what besides the format. */
export interface ReplayPlace {
  readonly path: string;
  readonly body: object;
}

interface ReplayProps {
  readonly place: ReplayPlace;
  /** The recorded one. */
  readonly format: string;
  /** The user wants to see a line of the recording. */
  readonly onLine: (line: number) => void;
}

export function Replay({ place, format, onLine }: ReplayProps) {
  const chosen = useSignal('');
  const replayed = useSignal<Replayed | undefined>(undefined);
  const running = useSignal(false);
  const run = async () => {
    running.value = true;
    replayed.value = undefined;
    const other = chosen.value === '' ? {} : { format: chosen.value };
    await attempt(async () => {
      replayed.value = await ask<Replayed>(place.path, { method: 'POST', body: { ...place.body, ...other } });
    });
    running.value = false;
  };
  return (
    <>
      <div class="row-of">
        <button type="button" disabled={running.value} onClick={() => void run()}>
          Replay
        </button>
        {format !== 'chat' && (
          <label>
            as{' '}
            <select
              value={chosen.value}
              onChange={event => {
                chosen.value = event.currentTarget.value;
              }}
            >
              <option value="">{format}, as it was recorded</option>
              {formatNames()
                .filter(name => name !== format)
                .map(name => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
            </select>
          </label>
        )}
        {running.value && <span class="quiet small">It is gone through …</span>}
      </div>
      <div role="status">{replayed.value && <Outcome runs={replayed.value.runs} onLine={onLine} />}</div>
    </>
  );
}

function Outcome({ runs, onLine }: { readonly runs: readonly ReplayedRun[] } & Pick<ReplayProps, 'onLine'>) {
  const other = runs.find(({ same }) => !same);
  const turns = runs.reduce((sum, run) => sum + run.turns, 0);
  if (!other?.difference)
    return (
      <p class="good">
        ✓ {counted(runs.length, 'run')}, {counted(turns, 'turn')}: as recorded.
      </p>
    );
  const { turn, line, text } = other.difference;
  return (
    <>
      <p class="bad">
        ✗ Run {other.run} goes another way in turn {turn}.{' '}
        {line !== undefined && (
          <button type="button" class="small" onClick={() => onLine(line)}>
            Show what was recorded there
          </button>
        )}
      </p>
      <pre class="difference">
        {text.split('\n').map((one, number) => (
          <span key={number} class={one.startsWith('- ') ? 'bad' : one.startsWith('+ ') ? 'good' : undefined}>
            {one}
            {'\n'}
          </span>
        ))}
      </pre>
    </>
  );
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
