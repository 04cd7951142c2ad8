/** The tasks of an evaluation: each with what was expected, how often it was right, and what went wrong. */
import { useSignal } from '@preact/signals';
import type { Expected } from '../../../eval/results.ts';
import type { EvalReport, FailedSample, ReportTask } from '../../runs/runs-protocol.ts';
import { addressOf } from '../shell/route.ts';

interface ReportTasksProps {
  readonly report: EvalReport;
  readonly id?: string;
}

export function ReportTasks({ report: { tasks, variants }, id }: ReportTasksProps) {
  const words = useSignal('');
  const failures = useSignal(false);
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = tasks.filter(task => {
    const text = [task.id, task.query, ...task.tags].join(' ').toLowerCase();
    return wanted.every(word => text.includes(word)) && !(failures.value && task.asked.every(allRight));
  });
  const labels = new Map(variants.map(({ number, label }) => [number, `${number} ${label}`]));
  return (
    <section aria-label="Tasks">
      <h2>Tasks</h2>
      <div class="row-of">
        <label>
          Words of a task{' '}
          <input
            type="search"
            value={words.value}
            onInput={event => {
              words.value = event.currentTarget.value;
            }}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={failures.value}
            onChange={event => {
              failures.value = event.currentTarget.checked;
            }}
          />
          Failures only
        </label>
        <span class="quiet small" role="status">
          {shown.length} of {tasks.length} tasks
        </span>
      </div>
      {shown.map(task => (
        <Task key={task.id} task={task} labels={labels} {...(id === undefined ? {} : { id })} />
      ))}
    </section>
  );
}

const allRight = ({ samples, right }: ReportTask['asked'][number]) => right === samples;

interface TaskProps {
  readonly task: ReportTask;
  readonly labels: ReadonlyMap<number, string>;
  readonly id?: string;
}

function Task({ task: { id: name, query, expected, asked }, labels, id }: TaskProps) {
  return (
    <details class="task">
      <summary>
        <b>{name}</b> <span class="quiet">{query}</span>{' '}
        {asked.map(({ variant, samples, right }) => (
          <span key={variant} class={`outcome small ${right === samples ? 'good' : 'bad'}`}>
            {variant} {right === samples ? '✓' : `${right}/${samples}`}
          </span>
        ))}
      </summary>
      <p class="small">Expected: {expectedText(expected)}</p>
      {asked.map(({ variant, samples, right, failed }) => (
        <div key={variant}>
          <h3>
            {labels.get(variant)}{' '}
            <span class="quiet">
              {right} of {samples} right
            </span>
          </h3>
          {failed.map(sample => (
            <Failed key={sample.number} sample={sample} {...(id === undefined ? {} : { id })} />
          ))}
        </div>
      ))}
    </details>
  );
}

function Failed({ sample, id }: { readonly sample: FailedSample; readonly id?: string }) {
  const { number, why, calls, answer, recorded, seed } = sample;
  const made = calls.map(
    ({ tool, argumentsText, problem }) =>
      `${tool || '(no name)'} ${argumentsText}${problem === undefined ? '' : ` — ${problem}`}`,
  );
  return (
    <div class="failed">
      <p class="bad small">
        Sample {sample.sample}: {why} <span class="quiet">(seed {seed})</span>
      </p>
      {made.length > 0 && <pre>{made.join('\n')}</pre>}
      {answer !== '' && <pre>{answer}</pre>}
      {recorded && id !== undefined && (
        <a class="small" href={addressOf('runs', 'eval', id, number)}>
          Its transcript
        </a>
      )}
    </div>
  );
}

function expectedText({ call, calls, answerHolds }: Expected): string {
  const made = !call
    ? 'no call'
    : calls.length === 0
      ? 'a call of any tool'
      : calls
          .map(({ tool, arguments: args }) => (args ? `${tool} ${JSON.stringify(args)}` : tool))
          .join('; ');
  const holds = answerHolds.map(one => (typeof one === 'string' ? one : one.join(' or ')));
  return holds.length === 0 ? made : `${made}; the answer holds ${holds.join(', ')}`;
}
