/** The completion, and everything that makes it be read in one way or another. */
import { useId, useRef } from 'preact/hooks';
import type { StopReason } from '../../../../parsers/parser.ts';
import {
  type CutWay,
  completion,
  cutWay,
  given,
  marked,
  ownCuts,
  prefill,
  readFormats,
  readTools,
  stop,
  typeCompletion,
} from './completion-state.ts';
import { FormatList, formatNames } from './format-list.tsx';
import { JsonField } from './json-field.tsx';

const example = `<think>
The user wants a sum.
</think>
<tool_call>
{'name': 'add', 'arguments': {'a': 31, 'b': 11, }}
</tool_cal`;

const cutWords: Readonly<Record<CutWay, string>> = {
  whole: 'in one piece',
  pieces: 'in its own pieces',
  characters: 'by the character',
  own: 'in pieces of my own',
};

const stopWords: Readonly<Record<StopReason, string>> = {
  stop: 'the model ended it',
  length: 'the token limit cut it',
  aborted: 'somebody stopped it',
};

export function CompletionInput() {
  const id = useId();
  return (
    <form class="inputs" aria-label="Completion" onSubmit={event => event.preventDefault()}>
      <Text />
      <div class="pair">
        <label>
          It comes
          <select
            value={cutWay.value}
            onChange={event => {
              cutWay.value = event.currentTarget.value as CutWay;
            }}
          >
            {(Object.keys(cutWords) as CutWay[])
              .filter(way => way !== 'pieces' || given.value)
              .map(way => (
                <option key={way} value={way}>
                  {cutWords[way]}
                </option>
              ))}
          </select>
        </label>
        <label>
          and ends because
          <select
            value={stop.value}
            onChange={event => {
              stop.value = event.currentTarget.value as StopReason;
            }}
          >
            {(Object.keys(stopWords) as StopReason[]).map(reason => (
              <option key={reason} value={reason}>
                {stopWords[reason]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {!given.value && (
        <label class="check">
          <input
            type="checkbox"
            checked={marked.value}
            onChange={event => {
              marked.value = event.currentTarget.checked;
            }}
          />
          Control words are control tokens, not letters
        </label>
      )}
      <FormatList chosen={readFormats} usual={formatNames()} />
      <details open={readTools.value !== '' || prefill.value !== ''}>
        <summary>Tools and prefill</summary>
        <JsonField
          label="Tools on offer (none given: any name is taken)"
          text={readTools}
          rows={5}
          placeholder='[{"name": "add", "inputSchema": {"type": "object", "properties": {}}}]'
        />
        <div class="lab-field">
          <label for={`${id}-prefill`}>What the prompt ended with of it</label>
          <textarea
            id={`${id}-prefill`}
            class="code"
            rows={2}
            spellcheck={false}
            placeholder="<think>"
            value={prefill.value}
            onInput={event => {
              prefill.value = event.currentTarget.value;
            }}
          />
        </div>
      </details>
    </form>
  );
}

function Text() {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const cutHere = () => {
    const place = field.current?.selectionStart ?? 0;
    const others = ownCuts.value.filter(one => one !== place);
    ownCuts.value = others.length < ownCuts.value.length ? others : [...others, place].sort((a, b) => a - b);
    field.current?.focus();
  };
  return (
    <div class="lab-field">
      <div class="field-head">
        <label for={id}>What the model wrote</label>
        {completion.value === '' && (
          <button type="button" class="plain small" onClick={() => typeCompletion(example)}>
            An example
          </button>
        )}
        {cutWay.value === 'own' && (
          <span>
            <button type="button" class="small" title="Ctrl+B" onClick={cutHere}>
              Cut at the cursor
            </button>{' '}
            <button
              type="button"
              class="plain small"
              disabled={ownCuts.value.length === 0}
              onClick={() => {
                ownCuts.value = [];
              }}
            >
              No cuts
            </button>
          </span>
        )}
      </div>
      <textarea
        id={id}
        ref={field}
        class="code"
        rows={12}
        spellcheck={false}
        value={completion.value}
        onInput={event => typeCompletion(event.currentTarget.value)}
        onKeyDown={event => {
          if (cutWay.value !== 'own' || event.key !== 'b' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          cutHere();
        }}
      />
    </div>
  );
}
