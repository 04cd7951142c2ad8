/** Everything that can be turned between two questions. */
import type { ContextBill, KnobSetting, Knobs, PlayState } from '../../protocol.ts';
import { KnobField } from './field.tsx';
import { ModelLine } from './model-line.tsx';
import { ToolSwitches } from './tools.tsx';

type Name = KnobSetting['name'];

/** What belongs together; a knob that stands in none of them comes at the end. */
const groups: readonly { readonly title: string; readonly names: readonly Name[] }[] = [
  { title: 'Model', names: ['model', 'format', 'thinking', 'system'] },
  { title: 'Sampling', names: ['temperature', 'topK', 'topP', 'minP', 'repeatPenalty', 'seed', 'maxTokens'] },
  { title: 'Turns', names: ['constrain', 'answerTurn', 'rounds', 'maxRounds', 'decisionHistory'] },
  { title: 'Schemas', names: ['schema', 'schemaForm', 'toolSchemas'] },
];

interface KnobsPanelProps {
  readonly state: PlayState;
  readonly knobs: Knobs;
  readonly bill: ContextBill | undefined;
  readonly onChange: (knobs: Knobs) => void;
}

export function KnobsPanel({ state, knobs, bill, onChange }: KnobsPanelProps) {
  const named = new Set<string>(groups.flatMap(({ names }) => names));
  const rest = state.knobs.map(({ name }) => name).filter(name => !named.has(name));
  const all = rest.length === 0 ? groups : [...groups, { title: 'More', names: rest }];
  return (
    <>
      <ModelLine model={state.model} />
      {all.map(({ title, names }) => (
        <details key={title} open={title === 'Model' || title === 'Sampling'}>
          <summary>{title}</summary>
          <div class="fields">
            {names.flatMap(name => {
              const setting = state.knobs.find(knob => knob.name === name);
              if (!setting) return [];
              return [
                <KnobField key={name} setting={setting} state={state} knobs={knobs} onChange={onChange} />,
              ];
            })}
          </div>
        </details>
      ))}
      <ToolSwitches state={state} knobs={knobs} bill={bill} onChange={onChange} />
    </>
  );
}
