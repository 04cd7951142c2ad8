/** Where the tables stand: one section of docs/small-models.md a model, and its lines of bench/RESULTS.md. */
import { cpus } from 'node:os';
import { millions, today, writeRows, writeSection } from '../measured-page.ts';
import type { Row } from '../row.ts';
import type { Asked } from './ask.ts';
import { costsTable, kindsTable, ratesTable } from './table.ts';

export interface Measured {
  /** The file's name. */
  readonly name: string;
  readonly parameters: number;
  readonly sha256: string;
  readonly format: string;
  readonly set: string;
  readonly seed: number;
  readonly maxTokens: number;
  readonly threads: string;
  readonly asked: readonly Asked[];
}

const shown = ['with-schema', 'without-schema', 'question-and-data/once'];

export function writePage(measured: Measured): void {
  writeSection(`${measured.name}, ${measured.set}`, sectionOf(measured));
  writeRows(rowsOf(measured));
}

function sectionOf(measured: Measured): string {
  const { name, parameters, sha256, format, set, seed, maxTokens, threads, asked } = measured;
  const questions = new Set(asked.map(one => one.question)).size;
  return `### ${name}, ${millions(parameters)} million parameters

${today()}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores, threads: ${threads}; sha256 \`${sha256.slice(0, 16)}…\`; format \`${format}\`; ${questions} questions of the
set \`${set}\`, seed ${seed}; greedy, at most ${maxTokens} tokens a turn.

${ratesTable(asked)}

A question costs, on the average:

${costsTable(asked)}

${kindsTable(asked, shown)}
`;
}

/** The default of old against the best one, in the style of the other figures. */
function rowsOf({ name, set, asked }: Measured): Row[] {
  return shown.flatMap((policy): Row[] => {
    const runs = asked.filter(one => one.policy === policy);
    const needed = runs.filter(one => one.tools);
    if (needed.length === 0) return [];
    const held = needed.filter(one => one.holds).length;
    const evaluated = runs.reduce((sum, one) => sum + one.evaluated, 0) / runs.length;
    const passes = runs.reduce((sum, one) => sum + one.passes, 0) / runs.length;
    return [
      {
        name: `policies, ${name}, ${policy}: answers that hold the results`,
        value: (100 * held) / needed.length,
        unit: '%',
        note: `${held} of ${needed.length} (${set}); ${evaluated.toFixed(0)} tokens evaluated and ${passes.toFixed(0)} passes a question; ${today()}, docs/small-models.md`,
      },
    ];
  });
}
