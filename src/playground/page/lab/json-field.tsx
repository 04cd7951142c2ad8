/** A field for JSON that says what is wrong with what stands in it. */
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface JsonFieldProps {
  readonly label: string;
  readonly text: Signal<string>;
  readonly rows: number;
  readonly placeholder: string;
  readonly children?: ComponentChildren;
}

export function JsonField({ label, text, rows, placeholder, children }: JsonFieldProps) {
  const id = useId();
  const read = jsonOf(text.value);
  return (
    <div class="lab-field">
      <div class="field-head">
        <label for={id}>{label}</label>
        {children}
      </div>
      <textarea
        id={id}
        class="code"
        rows={rows}
        spellcheck={false}
        placeholder={placeholder}
        value={text.value}
        aria-invalid={'fault' in read}
        aria-describedby={'fault' in read ? `${id}-fault` : undefined}
        onInput={event => {
          text.value = event.currentTarget.value;
        }}
      />
      {'fault' in read && (
        <p id={`${id}-fault`} class="bad small">
          {read.fault}
        </p>
      )}
    </div>
  );
}

export type ReadJson = { readonly value: unknown } | { readonly fault: string };

/** Nothing is `undefined`. */
export function jsonOf(text: string): ReadJson {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: `This is no JSON yet: ${(error as Error).message}.` };
  }
}
