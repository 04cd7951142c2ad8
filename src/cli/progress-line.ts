/** What goes on, as one line on stderr that the next one replaces. A pipe gets nothing of it. */
import { visible } from './output.ts';

let open = false;
let held = false;

export function showProgress(text: string): void {
  if (!process.stderr.isTTY || held) return;
  // A line that wrapped could not be taken back. Some terminals say that they have no columns.
  const room = (process.stderr.columns || 80) - 1;
  const line = [...visible(text).replace(/\s+/g, ' ')].slice(0, room).join('');
  process.stderr.write(`\r\u001b[2K${line}`);
  open = true;
}

/** Whatever else is written to the terminal begins with this. */
export function clearProgress(): void {
  if (open) process.stderr.write('\r\u001b[2K');
  open = false;
}

/** While the user is typing, the line would be written into what is typed. */
export function holdProgress(): Disposable {
  clearProgress();
  held = true;
  return {
    [Symbol.dispose]() {
      held = false;
    },
  };
}
