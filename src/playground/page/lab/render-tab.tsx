/** Messages and tools, as templates render them: each prompt by its tokens, what it costs, and two of them compared. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { LabRender, LabRendered } from '../../lab/lab-protocol.ts';
import { playState } from '../shell/news.ts';
import { ComparedPrompts } from './compared-prompts.tsx';
import { ConversationInput } from './conversation-input.tsx';
import { conversation } from './conversation-state.ts';
import { FormatList, formatNames } from './format-list.tsx';
import { kept } from './kept.ts';
import { PromptCosts } from './prompt-costs.tsx';
import { isGood, type Rendered, renderedOf } from './rendered.ts';
import { RenderedPrompt } from './rendered-prompt.tsx';
import { SettingFields, type Settings } from './setting-fields.tsx';
import { useAnswer } from './use-answer.ts';

const chosen = kept<readonly string[] | null>('render-formats', null);
const settings = kept<Settings>('render-settings', {});
const names = ['schema', 'schemaForm', 'toolSchemas', 'thinking', 'date', 'generationPrompt'] as const;

export function RenderTab() {
  const usual = usualFormats();
  const formats = formatNames(true).filter(name => (chosen.value ?? usual).includes(name));
  const said = conversation();
  const body: LabRender | undefined =
    said && formats.length > 0 ? { ...said, formats, ...settings.value } : undefined;
  const { answer, failure } = useAnswer<LabRendered>('lab/render', body).value;
  return (
    <div class="columns">
      <form class="inputs" aria-label="Conversation" onSubmit={event => event.preventDefault()}>
        <ConversationInput />
        <FormatList chosen={chosen} usual={usual} own />
        <SettingFields names={names} settings={settings} />
      </form>
      <div class="results">
        {failure !== undefined && (
          <p class="bad" role="alert">
            {failure}
          </p>
        )}
        {answer && <Prompts rendered={answer} />}
      </div>
    </div>
  );
}

/** The loaded model's, and the one that most people know. */
function usualFormats(): readonly string[] {
  const model = playState.value?.model;
  const own = model?.phase === 'ready' ? model.format : 'qwen';
  return own === 'hermes' ? ['llama3', 'hermes'] : [own, 'hermes'];
}

function Prompts({ rendered: { tokenizer, prompts } }: { readonly rendered: LabRendered }) {
  const good = useMemo<readonly Rendered[]>(() => prompts.filter(isGood).map(renderedOf), [prompts]);
  const compares = useSignal(false);
  return (
    <>
      {prompts.map(prompt =>
        isGood(prompt) ? null : (
          <p key={prompt.format} class="bad">
            <b>{prompt.format}</b>: {prompt.failed.message}
          </p>
        ),
      )}
      {good.length > 0 && <PromptCosts prompts={good} tokenizer={tokenizer} />}
      {good.length > 1 && (
        <label class="check">
          <input
            type="checkbox"
            checked={compares.value}
            onChange={event => {
              compares.value = event.currentTarget.checked;
            }}
          />
          Compare two of them
        </label>
      )}
      {compares.value && good.length > 1 ? (
        <ComparedPrompts prompts={good} />
      ) : (
        good.map(prompt => (
          <RenderedPrompt key={prompt.format} prompt={prompt} counted={tokenizer !== undefined} />
        ))
      )}
    </>
  );
}
