/** What somebody typed into the lab, which a look at another view and a reload must not cost. */
import { effect, type Signal, signal } from '@preact/signals';

export function kept<Value>(name: string, first: Value): Signal<Value> {
  const key = `rawcall-lab-${name}`;
  const value = signal(stored(key, first));
  effect(() => {
    try {
      sessionStorage.setItem(key, JSON.stringify(value.value));
    } catch {
      // There is no room for a text so long: it lasts until the page is loaded again.
      sessionStorage.removeItem(key);
    }
  });
  return value;
}

function stored<Value>(key: string, first: Value): Value {
  const text = sessionStorage.getItem(key);
  return text === null ? first : (JSON.parse(text) as Value);
}
