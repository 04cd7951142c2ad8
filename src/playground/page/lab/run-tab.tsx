/** One prompt under two settings, side by side, on the model that is loaded. */
import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { LabSide } from '../../lab/lab-protocol.ts';
import { playState } from '../shell/news.ts';
import { type Shortcut, useShortcuts } from '../shell/shortcuts.ts';
import { ConversationInput } from './conversation-input.tsx';
import { conversation } from './conversation-state.ts';
import { formatNames } from './format-list.tsx';
import { kept } from './kept.ts';
import { runSides, type SidesRun } from './run-sides.ts';
import { SettingFields, type Settings } from './setting-fields.tsx';
import { SideOutput } from './side-output.tsx';

const settings: readonly Signal<Settings>[] = [
  kept<Settings>('side-a', {}),
  kept<Settings>('side-b', { constrain: 'calls' }),
];
const names = ['A', 'B'];
const shown = [
  ...(['constrain', 'temperature', 'topK', 'topP', 'minP', 'repeatPenalty', 'seed', 'maxTokens'] as const),
  ...(['thinking', 'schema', 'schemaForm', 'toolSchemas'] as const),
];

export function RunTab() {
  const run = useSignal<SidesRun | undefined>(undefined);
  const stop = run.value?.stop.value;
  const begin = () => {
    const said = conversation();
    if (!said || run.value?.stop.value) return;
    run.value = runSides({ ...said, sides: settings.map(({ value }) => value as LabSide) });
  };
  const keys = useMemo<readonly Shortcut[]>(
    () => [{ key: 'Ctrl+Enter', does: 'run both sides', run: begin }],
    [],
  );
  useShortcuts(keys);
  const sides = run.value?.sides;
  const pieces = sides?.map(side => side.value.pieces);
  return (
    <div class="columns">
      <form
        class="inputs"
        aria-label="Prompt"
        onSubmit={event => {
          event.preventDefault();
          begin();
        }}
      >
        <ConversationInput />
        <div class="row-of">
          {stop ? (
            <button type="button" onClick={stop}>
              Stop
            </button>
          ) : (
            <button type="submit" class="main" title="Ctrl+Enter" disabled={!conversation()}>
              Run both
            </button>
          )}
          <span class="quiet small">{modelWords()}</span>
        </div>
      </form>
      <div class="results">
        {pieces?.[0] && pieces[1] && <Verdict left={textOf(pieces[0])} right={textOf(pieces[1])} />}
        <div class="sides">
          {settings.map((side, number) => (
            <section key={number} class="side" aria-label={`Side ${names[number]}`}>
              <h2>{names[number]}</h2>
              <SideFormat side={side} />
              <SettingFields names={shown} settings={side} />
              {sides?.[number] && <SideOutput state={sides[number]} />}
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}

function SideFormat({ side }: { readonly side: Signal<Settings> }) {
  const { format, ...rest } = side.value;
  return (
    <label class="setting">
      Format
      <select
        value={format ?? ''}
        onChange={({ currentTarget: { value } }) => {
          side.value = value === '' ? rest : { ...rest, format: value };
        }}
      >
        <option value="">the model's own</option>
        {formatNames(true).map(name => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Verdict({ left, right }: { readonly left: string; readonly right: string }) {
  if (left === right) return <p role="status">Both sides wrote the same, to the last character.</p>;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return (
    <p role="status">
      The sides part at character {at.toLocaleString('en')}
      {at > 0 && (
        <>
          , behind <code>{left.slice(Math.max(0, at - 40), at)}</code>
        </>
      )}
      .
    </p>
  );
}

const textOf = (pieces: readonly { readonly text: string }[]) => pieces.map(({ text }) => text).join('');

function modelWords(): string {
  const model = playState.value?.model;
  if (!model) return '';
  if (model.phase === 'ready') return `on ${model.name}, which speaks ${model.format}`;
  return model.phase === 'loading' ? `on ${model.name}, as soon as it is loaded` : model.message;
}
