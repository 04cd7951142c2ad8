/** A transcript: its steps, one of them in full, and what comes of it when it is gone through again. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { RecordedRuns } from '../../runs/runs-protocol.ts';
import { type Shortcut, useShortcuts } from '../shell/shortcuts.ts';
import { dateText } from './file-list.tsx';
import { Replay, type ReplayPlace } from './replay.tsx';
import { StepDetail } from './step-detail.tsx';
import { StepList } from './step-list.tsx';
import { stepsOf, type TurnStep } from './steps.ts';

interface TranscriptViewProps {
  readonly runs: RecordedRuns;
  readonly title: string;
  readonly replay: ReplayPlace;
}

export function TranscriptView({ runs, title, replay }: TranscriptViewProps) {
  const { header, cut } = runs;
  const steps = useMemo(() => stepsOf(runs), [runs]);
  const at = useSignal(0);
  const go = (step: number) => {
    at.value = Math.max(0, Math.min(steps.length - 1, step));
  };
  const keys = useMemo<readonly Shortcut[]>(
    () => [
      { key: 'j', does: 'next step', run: () => go(at.value + 1) },
      { key: 'k', does: 'step before', run: () => go(at.value - 1) },
    ],
    [steps],
  );
  useShortcuts(keys);
  const step = steps[at.value];
  const before = steps.slice(0, at.value).findLast((one): one is TurnStep => one.kind === 'turn');
  const { model, startedAt, versions } = header;
  return (
    <>
      <header class="about-run">
        <h2>{title}</h2>
        <p class="quiet small">
          {dateText(startedAt)}, {model.name} as {model.format}, {header.tools.length} tools, rawcall{' '}
          {versions.rawcall}
        </p>
        <details>
          <summary>Settings</summary>
          <pre>{JSON.stringify(header.settings, null, 2)}</pre>
        </details>
        <Replay
          place={replay}
          format={model.format}
          onLine={line => go(steps.findLastIndex(one => one.line <= line))}
        />
      </header>
      {cut !== undefined && (
        <p class="bad">The recording ends in the middle of line {cut}: its writer was ended there.</p>
      )}
      {step ? (
        <div class="transcript">
          <nav aria-label="Steps of the recording">
            <div class="row-of">
              <button type="button" title="k" disabled={at.value === 0} onClick={() => go(at.value - 1)}>
                ‹ Before
              </button>
              <button
                type="button"
                title="j"
                disabled={at.value === steps.length - 1}
                onClick={() => go(at.value + 1)}
              >
                Next ›
              </button>
              <span class="quiet small" role="status">
                step {at.value + 1} of {steps.length}
              </span>
            </div>
            <StepList steps={steps} at={at.value} onChoose={go} />
          </nav>
          <div class="detail">
            <StepDetail step={step} before={before} header={header} />
          </div>
        </div>
      ) : (
        <p class="quiet">Nothing was asked in it.</p>
      )}
    </>
  );
}
