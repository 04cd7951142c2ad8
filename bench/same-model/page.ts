/** The tables: which calls are right by category and way, needless calls, and what a question costs. */
import { cpus } from 'node:os';
import { wilson } from '../../src/eval/interval.ts';
import { millions, today, writeRows, writeSection } from '../measured-page.ts';
import type { Row } from '../row.ts';
import { type ArmName, armNames } from './arm.ts';
import type { Judged } from './judge.ts';

export interface SameModel {
  /** The file's name. */
  readonly name: string;
  readonly parameters: number;
  readonly sha256: string;
  readonly seed: number;
  readonly judged: readonly Judged[];
}

const categories = ['simple', 'multiple', 'parallel'] as const;

export function writePage(measured: SameModel): void {
  const asked = askedOfAll(measured.judged);
  writeSection(`${measured.name}, the same questions each way`, sectionOf(measured, asked));
  writeRows(rowsOf(measured, asked));
}

/** What is stopped early is compared over the questions that every way was asked. */
function askedOfAll(judged: readonly Judged[]): readonly Judged[] {
  const arms = new Map<string, Set<ArmName>>();
  for (const { question, arm } of judged) arms.set(question, (arms.get(question) ?? new Set()).add(arm));
  return judged.filter(({ question }) => arms.get(question)?.size === armNames.length);
}

function sectionOf({ name, parameters, sha256, seed }: SameModel, asked: readonly Judged[]): string {
  const count = (category: string) => of(asked, 'rawcall', category).length;
  const sample = [...categories, 'irrelevance'].map(one => `${count(one)} ${one}`).join(', ');
  return `### ${name}, the same questions each way

${today()}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores; ${millions(parameters)} million parameters; sha256 \`${sha256.slice(0, 16)}…\`; a sample of the
Berkeley Function-Calling Leaderboard, seed ${seed}: ${sample}; greedy, at most 256 tokens a turn and 4 rounds.

Right calls before any result was read, by the leaderboard's rules:

${table(categories, (arm, category) => rate(of(asked, arm, category), one => one.right))}

The calls of all rounds together, the same call made again counted once:

${table(categories, (arm, category) => rate(of(asked, arm, category), one => one.rightInRounds))}

Where no tool fits (irrelevance):

${table(['calls that were needless', 'words that are a call'], (arm, what) =>
  rate(of(asked, arm, 'irrelevance'), one =>
    what === 'words that are a call' ? isWordedCall(one) : !one.right,
  ),
)}

A question costs, on the average (without the answer turn of \`rawcall auto\`, which makes no calls):

${table(['tokens evaluated', 'tokens generated', 'turns'], (arm, what) => {
  const runs = asked.filter(one => one.arm === arm);
  return mean(runs.map(one => costOf(one, what))).toFixed(what === 'turns' ? 1 : 0);
})}
`;
}

function table(columns: readonly string[], cell: (arm: ArmName, column: string) => string): string {
  const lines = armNames.map(
    arm => `| \`${arm}\` | ${columns.map(column => cell(arm, column)).join(' | ')} |`,
  );
  return [`| | ${columns.join(' | ')} |`, `| --- |${' --- |'.repeat(columns.length)}`, ...lines].join('\n');
}

function rowsOf({ name }: SameModel, asked: readonly Judged[]): Row[] {
  return armNames.flatMap(arm =>
    categories.flatMap((category): Row[] => {
      const runs = of(asked, arm, category);
      if (runs.length === 0) return [];
      const right = runs.filter(one => one.right).length;
      return [
        {
          name: `same model, ${name}, ${arm}: right calls, ${category}`,
          value: (100 * right) / runs.length,
          unit: '%',
          note: `${right} of ${runs.length}; ${runs.filter(one => one.rightInRounds).length} with those of later rounds; ${today()}, docs/small-models.md`,
        },
      ];
    }),
  );
}

const of = (asked: readonly Judged[], arm: ArmName, category: string): readonly Judged[] =>
  asked.filter(one => one.arm === arm && one.category === category);

function rate(runs: readonly Judged[], holds: (one: Judged) => boolean): string {
  if (runs.length === 0) return '–';
  const count = runs.filter(holds).length;
  const { low, high } = wilson(count, runs.length);
  const percent = (share: number) => Math.round(100 * share);
  return `${count} of ${runs.length}: **${percent(count / runs.length)} %** (${percent(low)}–${percent(high)})`;
}

/** Such as a server hands back that doesn't know the model's way to write one. */
function isWordedCall({ turns }: Judged): boolean {
  const [first] = turns;
  return first?.calls.length === 0 && /^(?:```\w*\s*)?\[?\s*\{\s*"name"\s*:/.test(first.text.trim());
}

function costOf({ evaluated, generated, turns }: Judged, what: string): number {
  if (what === 'turns') return turns.length;
  return what === 'tokens evaluated' ? evaluated : generated;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
