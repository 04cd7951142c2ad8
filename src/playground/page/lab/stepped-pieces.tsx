/** The pieces of a completion, with those that were read so far, and the keys to go through them. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { LabParsed, LabReading } from '../../lab/lab-protocol.ts';
import { readSpans } from '../../read-spans.ts';
import { completionFlow } from '../raw/completion-flow.ts';
import type { Flow } from '../raw/flow.ts';
import type { FlowHandle } from '../raw/flow-keys.ts';
import { TokenFlow } from '../raw/token-flow.tsx';
import { type Shortcut, useShortcuts } from '../shell/shortcuts.ts';

interface SteppedPiecesProps {
  readonly parsed: LabParsed;
  /** Whose spans are tinted. */
  readonly reading: LabReading;
  /** How many steps are taken. */
  readonly at: number;
  readonly onStep: (step: number) => void;
}

export function SteppedPieces({ parsed, reading, at, onStep }: SteppedPiecesProps) {
  const { pieces } = parsed;
  const last = pieces.length + 1;
  const flow = useMemo(() => steppedFlow(parsed, reading, at), [parsed, reading, at]);
  const handle = useSignal<FlowHandle | undefined>(undefined);
  const looked = useSignal<number | undefined>(undefined);
  useLayoutEffect(() => handle.value?.go(at - 1), [at, parsed]);
  const told = useMemo(() => reading.steps.map(({ piece }) => piece + 1), [reading]);
  const keys = useMemo<readonly Shortcut[]>(
    () => [
      { key: '[', does: 'a piece back', run: () => onStep(Math.max(0, at - 1)) },
      { key: ']', does: 'a piece on', run: () => onStep(Math.min(last, at + 1)) },
      { key: '{', does: 'to the beginning', run: () => onStep(0) },
      { key: '}', does: 'to the end', run: () => onStep(last) },
      {
        key: ',',
        does: 'back to where something was told',
        run: () => onStep(told.findLast(one => one < at) ?? 0),
      },
      {
        key: '.',
        does: 'on to where something is told',
        run: () => onStep(told.find(one => one > at) ?? last),
      },
    ],
    [at, last, told],
  );
  useShortcuts(keys);
  return (
    <section class="part" aria-label="Pieces">
      <header>
        <h2>Pieces</h2>
        <span class="quiet small" role="status">
          {stepWords(at, pieces.length)}
        </span>
      </header>
      <div class="stepper" role="toolbar" aria-label="Steps">
        {buttons.slice(0, 3).map(button => stepButton(button, keys))}
        <input
          type="range"
          aria-label="Pieces read"
          min={0}
          max={last}
          value={at}
          onInput={event => onStep(Number(event.currentTarget.value))}
        />
        {buttons.slice(3).map(button => stepButton(button, keys))}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the pointer's way to what the steps and their keys do. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
      <div
        class="flow-box"
        onClick={() => {
          if (looked.value !== undefined) onStep(looked.value + 1);
        }}
      >
        <TokenFlow label="Pieces of the completion" flow={flow} handle={handle} looked={looked} />
      </div>
    </section>
  );
}

/** On either side of the slider, each with what it shows. */
const buttons = [
  { key: '{', sign: '«' },
  { key: ',', sign: '‹‹' },
  { key: '[', sign: '‹' },
  { key: ']', sign: '›' },
  { key: '.', sign: '››' },
  { key: '}', sign: '»' },
] as const;

function stepButton({ key, sign }: (typeof buttons)[number], keys: readonly Shortcut[]) {
  const { does, run } = keys.find(shortcut => shortcut.key === key)!;
  return (
    <button key={key} type="button" aria-label={does} title={`${does} (${key})`} onClick={() => void run()}>
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}

function stepWords(at: number, pieces: number): string {
  if (at === 0) return `nothing of ${counted(pieces)} was read`;
  return at > pieces ? `${counted(pieces)}, all read` : `${at} of ${counted(pieces)} read`;
}

function counted(pieces: number): string {
  return `${pieces.toLocaleString('en')} piece${pieces === 1 ? '' : 's'}`;
}

function steppedFlow({ pieces }: LabParsed, { steps }: LabReading, at: number): Flow {
  const events = steps.filter(({ piece }) => piece < at).flatMap(step => step.events);
  const read = pieces.slice(0, at);
  const flow = completionFlow({ pieces: read, reason: 'stop', spans: readSpans(read, events) });
  const ahead = pieces
    .slice(at)
    .map(({ text, control }) => ({ text, looks: `${control ? 'control ' : ''}ahead` }));
  return {
    ...flow,
    tokens: [...flow.tokens, ...ahead],
    facts: token =>
      token < read.length
        ? flow.facts(token)
        : { text: pieces[token]!.text, notes: [`position ${token}`, 'not read yet'] },
  };
}
