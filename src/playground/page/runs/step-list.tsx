/** The steps of a recording, one of which is looked at. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Step, stepWords } from './steps.ts';

interface StepListProps {
  readonly steps: readonly Step[];
  readonly at: number;
  readonly onChoose: (step: number) => void;
}

export function StepList({ steps, at, onChoose }: StepListProps) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <ol class="steps" ref={list} aria-label="Steps">
      {steps.map((step, number) => {
        const { title, about } = stepWords(step);
        return (
          <li key={number}>
            <button
              type="button"
              class={`plain step-${step.kind}${step.kind === 'note' && step.bad ? ' bad' : ''}`}
              aria-current={number === at ? 'step' : undefined}
              onClick={() => onChoose(number)}
            >
              <span class="what">
                {title} <span class="quiet small">{timeText(step.at)}</span>
              </span>
              <span class="about">{about.slice(0, 300)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function timeText(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
