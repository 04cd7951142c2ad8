/** `rawcall check`: recorded completions against what they must come to, however they are cut. */
import path from 'node:path';
import type { RawcallError } from '../../parsers/error.ts';
import { type CheckedCase, type CheckOptions, checkFile, type Line, passed } from '../check/check-file.ts';
import { caseFiles } from '../check/files.ts';
import { type FileUpdate, fileUpdate, updatedLine } from '../check/update.ts';
import { isFormatPath } from '../format-module.ts';
import { type CheckReporter, checkReporters, type Totals } from './check-report.ts';
import { exitCodes, usageError } from './exit.ts';
import type { Context } from './program.ts';
import type { ReporterName } from './settings.ts';

export interface CheckFlags {
  readonly update?: true;
  readonly reporter: ReporterName;
  readonly filter?: string;
  readonly score?: true;
}

export async function check(
  places: readonly string[],
  { values, lifetime }: Context<CheckFlags>,
): Promise<number> {
  const { format, filter, update, seed = Math.floor(Math.random() * 2 ** 31) } = values;
  const files = caseFiles(places);
  const options = {
    seed,
    ...(format === undefined ? {} : { format: isFormatPath(format) ? path.resolve(format) : format }),
    ...(filter === undefined ? {} : { filter }),
  };
  if (values.score) {
    const { score } = await import('./score.ts');
    return score(files, options, values);
  }
  const reporter = checkReporters[values.reporter]();
  const totals = { cases: 0, failed: 0, bad: 0, updated: 0, unexpecting: 0, files: files.length, seed };
  for (const file of files) {
    await reporter.file(file);
    if (update) {
      const next = await fileUpdate(file);
      // An interrupt leaves the file as it was, and nothing beside it.
      lifetime.closeAtEnd(next.close);
      await updateFile(file, next, options, reporter, totals);
    } else for await (const line of checkFile(file, options)) await count(line, reporter, totals);
  }
  if (totals.cases + totals.bad === 0) throw nothingToCheck(files, filter);
  await reporter.end(totals);
  if (totals.bad > 0) return exitCodes.usage;
  return totals.failed > 0 ? exitCodes.error : exitCodes.answered;
}

export function nothingToCheck(files: readonly string[], filter: string | undefined): RawcallError {
  return usageError(
    filter === undefined
      ? `There is no case in ${files.join(', ')}.`
      : `No case has ${JSON.stringify(filter)} in its id.`,
  );
}

type Counts = { -readonly [Key in keyof Totals]: Totals[Key] };

async function count(line: Line, reporter: CheckReporter, totals: Counts): Promise<void> {
  if (line.kind === 'other') return;
  if (line.kind === 'bad') {
    totals.bad++;
    return reporter.bad(line.message);
  }
  totals.cases++;
  if (!line.one.expects) totals.unexpecting++;
  if (!passed(line.one)) totals.failed++;
  await reporter.checked(line.one);
}

/** What is read now becomes what is expected. A case whose splits disagree stays and fails. */
async function updateFile(
  file: string,
  next: FileUpdate,
  options: CheckOptions,
  reporter: CheckReporter,
  totals: Counts,
): Promise<void> {
  const before = totals.updated;
  try {
    for await (const line of checkFile(file, options)) {
      const text = line.kind === 'checked' ? updatedLine(line.text, line.one) : undefined;
      await next.line(text ?? line.text);
      if (text !== undefined) totals.updated++;
      await count(
        line.kind === 'checked' && text !== undefined ? { ...line, one: right(line.one) } : line,
        reporter,
        totals,
      );
    }
    if (totals.updated > before) await next.commit();
  } finally {
    await next.close();
  }
}

function right(one: CheckedCase): CheckedCase {
  return { ...one, differences: [], expects: true };
}
