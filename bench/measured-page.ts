/** Sections of docs/small-models.md and lines of bench/RESULTS.md that a measurement of hours writes by itself. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Row, resultLine } from './row.ts';

const page = path.join(import.meta.dirname, '../docs/small-models.md');
const results = path.join(import.meta.dirname, 'RESULTS.md');

/** In place of the section of that name, or behind all others. */
export function writeSection(name: string, section: string): void {
  const mark = `<!-- measured: ${name} -->`;
  const end = `<!-- end of ${name} -->`;
  const text = readFileSync(page, 'utf8');
  const written = `${mark}\n${section}\n${end}`;
  const from = text.indexOf(mark);
  const to = text.indexOf(end);
  writeFileSync(
    page,
    from === -1
      ? `${text.trimEnd()}\n\n${written}\n`
      : text.slice(0, from) + written + text.slice(to + end.length),
  );
}

/** Measured by commands of their own, for hours. */
const others = ['| policies, ', '| same model, '];

/**
 * The whole of RESULTS.md: what was measured, and what `bench/run.ts` does not measure.
 *
 * @param part only some of it was measured: all other lines stay too
 */
export function writeResults(head: string, rows: readonly Row[], part: boolean): void {
  const lines = readFileSync(results, 'utf8').split('\n');
  const there = lines.filter(line => line.startsWith('| ') && !/^\| (?:what|---) /.test(line));
  const table = part
    ? withRows(there, rows)
    : [...rows.map(resultLine), ...there.filter(line => others.some(name => line.startsWith(name)))];
  writeFileSync(results, `${[head, ...table].join('\n')}\n`);
}

export function writeRows(rows: readonly Row[]): void {
  const lines = readFileSync(results, 'utf8').trimEnd().split('\n');
  writeFileSync(results, `${withRows(lines, rows).join('\n')}\n`);
}

/** Each in place of the one of the same name, or behind all others. */
function withRows(lines: readonly string[], rows: readonly Row[]): string[] {
  const all = [...lines];
  for (const row of rows) {
    const at = all.findIndex(line => line.startsWith(`| ${row.name} |`));
    all.splice(at === -1 ? all.length : at, at === -1 ? 0 : 1, resultLine(row));
  }
  return all;
}

export const today = (): string => new Date().toISOString().slice(0, 10);

export const millions = (count: number): number => Number((count / 1e6).toPrecision(3));
