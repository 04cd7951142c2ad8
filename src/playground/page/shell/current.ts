/** The dialogue that was last looked at, so that one view after the other shows the same one. */
import { signal } from '@preact/signals';

const key = 'rawcall-dialogue';

export const current = signal<string | undefined>(sessionStorage.getItem(key) ?? undefined);

export function setCurrent(id: string): void {
  if (current.value === id) return;
  current.value = id;
  sessionStorage.setItem(key, id);
}

export function forgetCurrent(id: string): void {
  if (current.value !== id) return;
  current.value = undefined;
  sessionStorage.removeItem(key);
}
