/** Two texts, and the first place where they part: the lines there, and what stands around it. */
import type { Colors } from './explain.ts';

/** Lines before the first difference and behind the last one. */
const context = 2;
/** Of each side. */
const mostLines = 12;
const width = 160;

export function lineDiff(before: string, after: string, colors: Colors): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let tail = 0;
  while (
    tail < old.length - start &&
    tail < fresh.length - start &&
    old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]
  )
    tail++;
  const removed = old.slice(start, old.length - tail);
  const added = fresh.slice(start, fresh.length - tail);
  const around = (lines: readonly string[]) => lines.map(line => colors.dim(`  ${clipped(line, 0)}`));
  return [
    ...around(old.slice(Math.max(0, start - context), start)),
    ...side('-', removed, added, colors.red),
    ...side('+', added, removed, colors.green),
    ...around(old.slice(old.length - tail, old.length - tail + context)),
  ].join('\n');
}

function side(
  sign: string,
  lines: readonly string[],
  others: readonly string[],
  color: (text: string) => string,
): string[] {
  const shown = lines
    .slice(0, mostLines)
    .map((line, index) => color(`${sign} ${clipped(line, partsAt(line, others[index] ?? ''))}`));
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, color(`${sign} … ${left} more lines`)] : shown;
}

function partsAt(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at;
}

/** A long line, cut to what stands around a place in it. */
function clipped(line: string, at: number): string {
  if (line.length <= width) return visible(line);
  const start = Math.max(0, Math.min(at - width / 2, line.length - width));
  const end = start + width;
  const cut = line.slice(start, end).toWellFormed();
  return visible(`${start > 0 ? '…' : ''}${cut}${end < line.length ? '…' : ''}`);
}

/** A text of a model must not move the terminal's cursor. */
function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    character => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
