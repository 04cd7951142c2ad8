/** The recordings there are, to choose one. */
import type { ComponentChildren } from 'preact';
import { addressOf } from '../shell/route.ts';
import { counted } from './counted.ts';
import { evalList, runList } from './files.ts';

/** @param shown what of the address says which one is open */
export function FileList({ shown }: { readonly shown: string | undefined }) {
  const [runs, evals] = [runList.value, evalList.value];
  return (
    <>
      <h2>Recorded runs</h2>
      {runs?.folder === undefined && runs && <p class="quiet small">Runs are not recorded (--no-record).</p>}
      {runs?.folder !== undefined && runs.runs.length === 0 && (
        <p class="quiet small">None yet in {runs.folder}.</p>
      )}
      <ul class="files">
        {runs?.runs.map(run => (
          <Item key={run.id} address={['run', run.id]} shown={shown}>
            {'problem' in run ? (
              <>
                <span class="what">{run.id}</span>
                <span class="about bad">{run.problem}</span>
              </>
            ) : (
              <>
                <span class="what">{run.question ?? 'Nothing was asked'}</span>
                <span class="about">
                  {dateText(run.startedAt)}, {run.model}, {run.format}
                </span>
              </>
            )}
          </Item>
        ))}
      </ul>
      {runs && runs.older > 0 && (
        <p class="quiet small">{runs.older.toLocaleString('en')} older ones can be opened as files.</p>
      )}
      <h2>Evaluations</h2>
      {evals?.evals.length === 0 && <p class="quiet small">None yet in {evals.folder}.</p>}
      <ul class="files">
        {evals?.evals.map(one => (
          <Item key={one.id} address={['eval', one.id]} shown={shown}>
            {'problem' in one ? (
              <>
                <span class="what">{one.id}</span>
                <span class="about bad">{one.problem}</span>
              </>
            ) : (
              <>
                <span class="what">{one.set}</span>
                <span class="about">
                  {dateText(one.started)}, {counted(one.samples, 'sample')} of {counted(one.tasks, 'task')}{' '}
                  and {counted(one.variants, 'variant')}
                </span>
              </>
            )}
          </Item>
        ))}
      </ul>
    </>
  );
}

interface ItemProps {
  readonly address: readonly [string, string];
  readonly shown: string | undefined;
  readonly children: ComponentChildren;
}

function Item({ address, shown, children }: ItemProps) {
  return (
    <li>
      <a href={addressOf('runs', ...address)} aria-current={address.join('/') === shown ? 'page' : undefined}>
        {children}
      </a>
    </li>
  );
}

/** As the user's own clock has it. */
export function dateText(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime())
    ? iso
    : date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
