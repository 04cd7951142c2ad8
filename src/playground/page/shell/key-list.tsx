/** The list of the keys that do something now. */
import { signal } from '@preact/signals';
import { Dialog } from './dialog.tsx';
import { shortcuts } from './shortcuts.ts';

const open = signal(false);

export function toggleKeyList(): void {
  open.value = !open.value;
}

export function KeyList() {
  if (!open.value) return null;
  return (
    <Dialog title="Keys" onClose={toggleKeyList}>
      <dl class="keys">
        {shortcuts.value.flat().map(({ key, does }) => (
          <div key={key}>
            <dt>
              <kbd>{key === ' ' ? 'Space' : key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
