/** Sections of docs/small-models.md and lines of bench/RESULTS.md that a measurement of hours writes by itself. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Row, resultLine } from './row.ts';

const page = path.join(import.meta.dirname, '../docs/small-models.md');
const results = path.join(import.meta.dirname, 'RESULTS.md');

/** Lines of RESULTS.md that `bench/run.ts` does not measure and keeps. */
export const keptRows = ['| policies, ', '| same model, '];

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

/** In place of those of the same names. */
export function writeRows(rows: readonly Row[]): void {
  const names = rows.map(row => `| ${row.name} |`);
  const lines = readFileSync(results, 'utf8').trimEnd().split('\n');
  const kept = lines.filter(line => !names.some(name => line.startsWith(name)));
  writeFileSync(results, `${[...kept, ...rows.map(resultLine)].join('\n')}\n`);
}

export const today = (): string => new Date().toISOString().slice(0, 10);

export const millions = (count: number): number => Number((count / 1e6).toPrecision(3));
