/** Copies a text as it is, which no selection on a page of which only a part is drawn could. */
import { useSignal } from '@preact/signals';

interface CopyButtonProps {
  readonly what: string;
  readonly text: () => string;
}

export function CopyButton({ what, text }: CopyButtonProps) {
  const said = useSignal('');
  const copy = async () => {
    said.value = await navigator.clipboard.writeText(text()).then(
      () => 'Copied',
      () => 'The browser does not allow it',
    );
    setTimeout(() => {
      said.value = '';
    }, 2000);
  };
  return (
    <>
      <span class="quiet small" role="status">
        {said}
      </span>
      <button type="button" class="plain small" aria-label={`Copy ${what}`} onClick={() => void copy()}>
        Copy
      </button>
    </>
  );
}
