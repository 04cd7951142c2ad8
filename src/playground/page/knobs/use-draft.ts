/** A field that takes effect when it is left: until then what is typed in it stays, whatever is drawn anew around it. */
import { useSignal } from '@preact/signals';

type Field = HTMLInputElement | HTMLTextAreaElement;

export interface Draft {
  readonly value: string;
  onInput(event: { readonly currentTarget: Field }): void;
  onChange(event: { readonly currentTarget: Field }): void;
}

export function useDraft(
  value: string | number | boolean | undefined,
  commit: (typed: string) => void,
): Draft {
  const draft = useSignal<string | undefined>(undefined);
  return {
    value: draft.value ?? (value === undefined ? '' : String(value)),
    onInput({ currentTarget }) {
      draft.value = currentTarget.value;
    },
    onChange({ currentTarget }) {
      draft.value = undefined;
      commit(currentTarget.value);
    },
  };
}
