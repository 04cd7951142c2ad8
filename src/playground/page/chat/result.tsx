/** What came of a call. */
import { useSignal } from '@preact/signals';
import { exactText } from '../../../exact-text.ts';
import type { Attachment } from '../../../tools.ts';
import type { CallState } from './items.ts';

export function ResultView({ state }: { readonly state: CallState & { readonly phase: 'ended' } }) {
  const { result, leftOut, whole } = state;
  const { content, forUser, attachments = [], warnings = [] } = result;
  return (
    <div class="result">
      <Clipped text={whole ?? content} label="Result" />
      {leftOut !== undefined && (
        <p class="small quiet">
          The model does not see {leftOut.toLocaleString('en')} characters of its middle.
        </p>
      )}
      {forUser !== undefined && <Clipped text={forUser} label="For you alone" />}
      {attachments.map((attachment, at) => (
        <Attached key={at} {...attachment} />
      ))}
      {warnings.map((warning, at) => (
        <p key={at} class="small bad">
          {warning}
        </p>
      ))}
    </div>
  );
}

/** So many characters are drawn before somebody asks for more: a browser lays out a line of megabytes for seconds. */
const shown = 4000;

export function Clipped({ text, label }: { readonly text: string; readonly label?: string }) {
  const limit = useSignal(shown);
  const visible = limit.value;
  const rest = text.length - visible;
  return (
    <div class="clipped">
      {label !== undefined && <p class="small quiet">{label}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by the keyboard. */}
      <pre tabIndex={0}>{text.slice(0, visible)}</pre>
      {rest > 0 && (
        <button
          type="button"
          class="plain small"
          onClick={() => {
            limit.value = visible * 8;
          }}
        >
          {rest.toLocaleString('en')} more characters
        </button>
      )}
    </div>
  );
}

/** Not drawn: a picture of a server's is nothing that the page would load. It can be saved. */
function Attached({ mimeType, data, name }: Attachment) {
  const bytes = Math.floor((data.length * 3) / 4);
  const title = exactText(name ?? mimeType);
  return (
    <p class="small attached">
      {title}, {exactText(mimeType)}, {bytes.toLocaleString('en')} bytes{' '}
      <button type="button" class="plain" onClick={() => save(data, mimeType, name)}>
        Save
      </button>
    </p>
  );
}

function save(data: string, mimeType: string, name: string | undefined): void {
  const bytes = Uint8Array.from(atob(data), character => character.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name ?? `attachment.${/\/(\w+)/.exec(mimeType)?.[1] ?? 'bin'}`;
  link.click();
  URL.revokeObjectURL(address);
}
