/** One knob. Left alone it shows the default; what was turned says so, and can be put back. */
import { useId } from 'preact/hooks';
import type { KnobSetting, Knobs, PlayState } from '../../protocol.ts';
import { withKnob } from './chosen.ts';
import { useDraft } from './use-draft.ts';

interface KnobFieldProps {
  readonly setting: KnobSetting;
  readonly state: PlayState;
  readonly knobs: Knobs;
  readonly onChange: (knobs: Knobs) => void;
}

export function KnobField({ setting, state, knobs, onChange }: KnobFieldProps) {
  const id = useId();
  const { name, flag, help } = setting;
  const preset = state.defaults[name];
  const value = knobs[name];
  const isTurned = value !== undefined && value !== preset;
  const set = (next: Knobs[typeof name] | undefined) => onChange(withKnob(knobs, name, next));
  return (
    <div class={`field ${isTurned ? 'turned' : ''}`}>
      <label for={id} title={`${flag}: ${help}`}>
        {titleOf(name)}
      </label>
      <Control id={id} setting={setting} state={state} value={value} preset={preset} onSet={set} />
      {isTurned && (
        <button
          type="button"
          class="plain reset"
          title="Back to the default"
          aria-label={`${titleOf(name)}: back to the default`}
          onClick={() => set(undefined)}
        >
          ↺
        </button>
      )}
    </div>
  );
}

type Value = string | number | boolean | undefined;

interface ControlProps {
  readonly id: string;
  readonly setting: KnobSetting;
  readonly state: PlayState;
  readonly value: Value;
  readonly preset: Value;
  // biome-ignore lint/suspicious/noExplicitAny: The server checks what a knob takes, and says what is wrong with it.
  readonly onSet: (value: any) => void;
}

function Control({ id, setting, state, value, preset, onSet }: ControlProps) {
  const shown = value ?? preset;
  switch (setting.kind) {
    case 'boolean':
    case 'choice': {
      const isBoolean = setting.kind === 'boolean';
      const choices = isBoolean ? ['true', 'false'] : (setting.choices ?? []);
      return (
        <select
          id={id}
          value={shown === undefined ? '' : String(shown)}
          onChange={({ currentTarget: { value } }) =>
            onSet(value === '' ? undefined : isBoolean ? value === 'true' : value)
          }
        >
          {preset === undefined && <option value="">default</option>}
          {choices.map(choice => (
            <option key={choice} value={choice}>
              {isBoolean ? { true: 'on', false: 'off' }[choice] : choice}
            </option>
          ))}
        </select>
      );
    }
    case 'number':
      return <NumberInput id={id} setting={setting} value={shown} onSet={onSet} />;
    case 'model':
      return (
        <Suggested
          id={id}
          value={shown}
          choices={state.models.map(({ model, name }) => ({ value: model, title: name }))}
          placeholder={state.model.phase === 'failed' ? 'a path' : state.model.name}
          onSet={onSet}
        />
      );
    case 'format':
      return (
        <Suggested
          id={id}
          value={shown}
          choices={state.formats.map(value => ({ value, title: value }))}
          placeholder={state.model.phase === 'ready' ? `the model's: ${state.model.format}` : "the model's"}
          onSet={onSet}
        />
      );
    case 'text':
      return <TextInput id={id} value={shown} onSet={onSet} />;
  }
}

interface TypedProps {
  readonly id: string;
  readonly value: Value;
  readonly onSet: (value: string | undefined) => void;
}

function TextInput({ id, value, onSet }: TypedProps) {
  return (
    <textarea
      id={id}
      rows={2}
      placeholder="default"
      {...useDraft(value, typed => onSet(typed || undefined))}
    />
  );
}

interface NumberInputProps extends Omit<TypedProps, 'onSet'> {
  readonly setting: KnobSetting;
  readonly onSet: (value: number | undefined) => void;
}

function NumberInput({ id, setting, value, onSet }: NumberInputProps) {
  return (
    <input
      id={id}
      type="number"
      min={setting.minimum}
      max={setting.maximum}
      step={setting.whole ? 1 : 'any'}
      placeholder="default"
      {...useDraft(value, typed => onSet(typed === '' ? undefined : Number(typed)))}
    />
  );
}

interface SuggestedProps extends TypedProps {
  readonly choices: readonly { readonly value: string; readonly title: string }[];
  readonly placeholder: string;
}

/** One of the choices, or anything else that is typed. */
function Suggested({ id, value, choices, placeholder, onSet }: SuggestedProps) {
  return (
    <>
      <input
        id={id}
        list={`${id}-choices`}
        placeholder={placeholder}
        spellcheck={false}
        {...useDraft(value, typed => onSet(typed.trim() || undefined))}
      />
      <datalist id={`${id}-choices`}>
        {choices.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** `repeatPenalty` → `repeat penalty`, `topK` → `top k`. */
export function titleOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
}
