/** `rawcall eval report`, and the reports that `rawcall eval` writes itself: results as a table, JSON, JUnit's XML or a page. */
import { RawcallError } from '../../../parsers/error.ts';
import { jsonReport } from '../../eval/report/json.ts';
import { junit } from '../../eval/report/junit.ts';
import { htmlReport } from '../../eval/report/page.ts';
import { type ResultsFile, variantsOf } from '../../eval/report/variants.ts';
import { readResults } from '../../eval/results-file.ts';
import { exitCodes, usageError } from '../exit.ts';
import { visible, writeOut } from '../output.ts';
import { notice } from '../show.ts';
import { writeWhole } from '../write-whole.ts';
import type { ReporterName, ReportFlags } from './report-names.ts';
import { resultsTable } from './table.ts';

export async function report(places: readonly string[], { reporter, out }: ReportFlags): Promise<number> {
  if (reporter === 'html' && out === undefined && process.stdout.isTTY)
    throw usageError('A page is not for a terminal. Give a file for it: --out report.html');
  const files = await Promise.all(places.map(async file => ({ file, results: await readResults(file) })));
  const text = await reporters[reporter](files);
  for (const { id, failed, missing } of variantsOf(files)) {
    if (failed) notice(`${id} could not be asked: ${failed.message}`);
    if (missing > 0) notice(`${id}: ${missing} samples are missing.`);
  }
  if (out === undefined) await writeOut(text);
  else await writeReport(out, text);
  return exitCodes.answered;
}

/** Where `rawcall eval` puts its reports. */
export interface ReportFiles {
  readonly html?: string;
  readonly junit?: string;
  readonly json?: string;
}

export async function writeReports(wanted: ReportFiles, results: string): Promise<void> {
  for (const name of ['html', 'junit', 'json'] as const) {
    const file = wanted[name];
    if (file === undefined) continue;
    await writeReport(file, await reporters[name]([{ file: results, results: await readResults(results) }]));
  }
}

const reporters: Readonly<Record<ReporterName, (files: readonly ResultsFile[]) => string | Promise<string>>> =
  {
    table: files =>
      files
        .map(({ file, results }) => `${files.length > 1 ? `${file}\n` : ''}${visible(resultsTable(results))}`)
        .join('\n'),
    json: files => jsonReport(variantsOf(files)),
    junit: files => junit(variantsOf(files)),
    html: files => htmlReport(variantsOf(files)),
  };

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await writeWhole(file, text);
  } catch (error) {
    throw new RawcallError(
      'bad_file',
      `${file} can't be written: ${(error as Error).message}`,
      { file },
      error,
    );
  }
  notice(`The report is in ${file}.`);
}
