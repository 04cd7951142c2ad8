/** The tools, which can be switched off one by one, with what each costs of the context; and how their servers are. */
import { exactText } from '../../../exact-text.ts';
import type { ContextBill, Knobs, PlayServer, PlayState, PlayTool } from '../../protocol.ts';
import { withKnob } from './chosen.ts';

interface ToolSwitchesProps {
  readonly state: PlayState;
  readonly knobs: Knobs;
  readonly bill: ContextBill | undefined;
  readonly onChange: (knobs: Knobs) => void;
}

export function ToolSwitches({ state, knobs, bill, onChange }: ToolSwitchesProps) {
  const off = new Set(knobs.toolsOff ?? state.defaults.toolsOff ?? []);
  const on = state.tools.filter(({ name }) => !off.has(name)).length;
  const set = (names: ReadonlySet<string>) => onChange(withKnob(knobs, 'toolsOff', [...names]));
  return (
    <details open>
      <summary>
        Tools <span class="quiet">{on === state.tools.length ? on : `${on} of ${state.tools.length}`}</span>
      </summary>
      <div class="fields tools">
        {state.servers.map(server => (
          <ServerLine key={server.name} server={server} />
        ))}
        {state.tools.length === 0 && (
          <p class="small quiet">There are none. Start with --mcp-config or --mcp-command.</p>
        )}
        {state.tools.map(tool => (
          <ToolSwitch
            key={tool.name}
            tool={tool}
            on={!off.has(tool.name)}
            tokens={bill?.perTool[tool.name]}
            onSwitch={on => {
              const next = new Set(off);
              if (on) next.delete(tool.name);
              else next.add(tool.name);
              set(next);
            }}
          />
        ))}
        {state.tools.length > 1 && (
          <div class="row">
            <button type="button" class="plain small" onClick={() => set(new Set())}>
              All on
            </button>
            <button
              type="button"
              class="plain small"
              onClick={() => set(new Set(state.tools.map(({ name }) => name)))}
            >
              All off
            </button>
          </div>
        )}
      </div>
    </details>
  );
}

interface ToolSwitchProps {
  readonly tool: PlayTool;
  readonly on: boolean;
  readonly tokens: number | undefined;
  readonly onSwitch: (on: boolean) => void;
}

function ToolSwitch({ tool, on, tokens, onSwitch }: ToolSwitchProps) {
  const { name, description, approval, server } = tool;
  const about = [
    ...(server === undefined ? [] : [`Server ${server}.`]),
    ...(description === undefined ? [] : [description]),
  ].join(' ');
  return (
    <label class="tool" title={exactText(about, '\n')}>
      <input type="checkbox" checked={on} onChange={({ currentTarget }) => onSwitch(currentTarget.checked)} />
      <code>{exactText(name)}</code>
      {approval !== 'auto' && <span class="small quiet">{approval === 'ask' ? 'asks' : 'never runs'}</span>}
      <span class="grow" />
      {tokens !== undefined && (
        <span class="small quiet number" title={`${tokens} tokens of the prompt`}>
          {tokens.toLocaleString('en')}
        </span>
      )}
    </label>
  );
}

function ServerLine({ server: { name, state, reason, warnings } }: { readonly server: PlayServer }) {
  if (state === 'ready' && warnings.length === 0) return null;
  return (
    <p class={`small ${state === 'failed' ? 'bad' : 'quiet'}`}>
      {exactText(name)}:{' '}
      {[
        state,
        ...(reason === undefined ? [] : [exactText(reason)]),
        ...warnings.map(text => exactText(text)),
      ].join('; ')}
    </p>
  );
}
