/** Settings of a prompt and of a turn, by the names that they have on the command line. What is empty is the default. */
import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { schemaForms } from '../../../../templates/schema-forms.ts';
import type { LabRender, LabSide } from '../../lab/lab-protocol.ts';

export type Settings = Omit<LabSide, 'format'> &
  Pick<LabRender, 'date' | 'generationPrompt'> & { readonly format?: string };
export type SettingName = keyof Settings;

type Field =
  | { readonly label: string; readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly label: string; readonly kind: 'switch'; readonly on: string; readonly off: string }
  | { readonly label: string; readonly kind: 'text'; readonly placeholder: string }
  | {
      readonly label: string;
      readonly kind: 'number';
      readonly placeholder: string;
      readonly max?: number;
      readonly whole?: true;
    };

const fields: Readonly<Record<Exclude<SettingName, 'format'>, Field>> = {
  schema: { label: 'Schemas stand', kind: 'choice', choices: ['native', 'system', 'user', 'tail', 'none'] },
  schemaForm: { label: 'Schemas written', kind: 'choice', choices: schemaForms },
  toolSchemas: { label: 'Schemas shown', kind: 'choice', choices: ['original', 'simplified'] },
  thinking: { label: 'Thinking', kind: 'switch', on: 'on', off: 'off' },
  date: { label: 'Date', kind: 'text', placeholder: '26 Jul 2024' },
  generationPrompt: { label: 'Reply opened', kind: 'switch', on: 'yes', off: 'no' },
  constrain: { label: 'Constrain', kind: 'choice', choices: ['off', 'calls', 'required'] },
  temperature: { label: 'Temperature', kind: 'number', placeholder: '0' },
  topK: { label: 'Top-k', kind: 'number', placeholder: '40', whole: true },
  topP: { label: 'Top-p', kind: 'number', placeholder: '0.95', max: 1 },
  minP: { label: 'Min-p', kind: 'number', placeholder: '0', max: 1 },
  repeatPenalty: { label: 'Repeat penalty', kind: 'number', placeholder: '1' },
  seed: { label: 'Seed', kind: 'number', placeholder: '0', whole: true },
  maxTokens: { label: 'Max tokens', kind: 'number', placeholder: '512', whole: true },
};

interface SettingFieldsProps {
  readonly names: readonly Exclude<SettingName, 'format'>[];
  readonly settings: Signal<Settings>;
}

export function SettingFields({ names, settings }: SettingFieldsProps) {
  const set = (name: SettingName, value: unknown) => {
    const { [name]: _, ...rest } = settings.value;
    settings.value = value === undefined ? rest : { ...rest, [name]: value };
  };
  return (
    <div class="settings">
      {names.map(name => (
        <SettingField
          key={name}
          field={fields[name]}
          value={settings.value[name]}
          onChange={value => set(name, value)}
        />
      ))}
    </div>
  );
}

interface SettingFieldProps {
  readonly field: Field;
  readonly value: string | number | boolean | undefined;
  readonly onChange: (value: string | number | boolean | undefined) => void;
}

function SettingField({ field, value, onChange }: SettingFieldProps) {
  const id = useId();
  return (
    <div class="setting">
      <label for={id}>{field.label}</label>
      <Control id={id} field={field} value={value} onChange={onChange} />
    </div>
  );
}

function Control({ id, field, value, onChange }: SettingFieldProps & { readonly id: string }) {
  switch (field.kind) {
    case 'choice':
      return (
        <select
          id={id}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        >
          <option value="">default</option>
          {field.choices.map(choice => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      );
    case 'switch':
      return (
        <select
          id={id}
          value={String(value ?? '')}
          onChange={({ currentTarget: { value: chosen } }) =>
            onChange(chosen === '' ? undefined : chosen === 'true')
          }
        >
          <option value="">default</option>
          <option value="true">{field.on}</option>
          <option value="false">{field.off}</option>
        </select>
      );
    case 'text':
      return (
        <input
          id={id}
          type="text"
          placeholder={field.placeholder}
          value={String(value ?? '')}
          onInput={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        />
      );
    case 'number':
      return (
        <input
          id={id}
          type="number"
          min={0}
          max={field.max}
          step={field.whole ? 1 : 'any'}
          placeholder={field.placeholder}
          value={value === undefined ? '' : String(value)}
          onInput={({ currentTarget: { value: typed } }) =>
            onChange(typed === '' ? undefined : Number(typed))
          }
        />
      );
  }
}
