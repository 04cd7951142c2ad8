/** Keys that do something wherever the focus is, and the list of them that `?` shows. */
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

export interface Shortcut {
  /** As `KeyboardEvent.key` has it, with `Ctrl+` in front where Ctrl or ⌘ is held: `j`, `?`, `Escape`, `Ctrl+Enter`. */
  readonly key: string;
  /** Two words on what it does. */
  readonly does: string;
  /** False: the key means what it means to the browser. */
  run(): unknown;
  /** Also while somebody types in a field. Default: only keys with Ctrl, and Escape. */
  readonly inFields?: boolean;
}

/** The newest first: a view's keys come before the shell's. */
export const shortcuts = signal<readonly (readonly Shortcut[])[]>([]);

/** Holds while the component is shown. The list must be the same from one drawing to the next (`useMemo`, or a constant). */
export function useShortcuts(list: readonly Shortcut[]): void {
  // Not an effect, which waits for a frame: the next key may come before.
  useLayoutEffect(() => {
    shortcuts.value = [list, ...shortcuts.peek()];
    return () => {
      shortcuts.value = shortcuts.peek().filter(one => one !== list);
    };
  }, [list]);
}

addEventListener('keydown', event => {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  // Whoever is asked something in a dialogue box answers that first.
  if (document.querySelector('dialog[open]')) return;
  const held = event.ctrlKey || event.metaKey;
  const key = `${held ? 'Ctrl+' : ''}${event.key}`;
  const typing = isField(event.target);
  const found = shortcuts.value.flat().find(shortcut => {
    if (shortcut.key !== key) return false;
    return !typing || (shortcut.inFields ?? (held || event.key === 'Escape'));
  });
  if (found && found.run() !== false) event.preventDefault();
});

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches(
        'textarea, select, input:not([type=checkbox], [type=radio], [type=range], [type=button])',
      ))
  );
}
