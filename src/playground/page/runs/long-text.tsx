/** A text of any length: of a long one its beginning, until somebody asks for all. */
import { useSignal } from '@preact/signals';

const shownFirst = 20_000;

export function LongText({ text }: { readonly text: string }) {
  const all = useSignal(false);
  const cut = !all.value && text.length > shownFirst;
  return (
    <>
      <pre>{cut ? text.slice(0, shownFirst) : text}</pre>
      {cut && (
        <button
          type="button"
          onClick={() => {
            all.value = true;
          }}
        >
          Show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </>
  );
}
