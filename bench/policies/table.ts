/** What was measured of one model, as the tables of docs/small-models.md. */
import { wilson } from '../../src/eval/interval.ts';
import type { Asked } from './ask.ts';

interface Column {
  readonly title: string;
  /** What is counted, and of which runs. */
  readonly of: (asked: Asked) => boolean;
  readonly is: (asked: Asked) => boolean;
}

const rates: readonly Column[] = [
  { title: 'right calls', of: one => one.tools, is: one => one.right },
  { title: 'needless call where none is needed', of: one => !one.tools, is: one => one.needless > 0 },
  { title: 'a call again', of: () => true, is: one => one.repeated > 0 },
  { title: 'no words where they were due', of: () => true, is: one => one.emptyTurns > 0 },
  { title: 'the answer holds the results', of: one => one.tools, is: one => one.holds },
  { title: 'the same where the calls were right', of: one => one.tools && one.right, is: one => one.holds },
];

const costs = ['turns', 'evaluated', 'reused', 'generated', 'passes', 'cpu'] as const;

export function ratesTable(asked: readonly Asked[]): string {
  return table(
    ['policy', ...rates.map(({ title }) => title)],
    groups(asked, one => one.policy).map(([policy, runs]) => [
      `\`${policy}\``,
      ...rates.map(column => rate(runs, column)),
    ]),
  );
}

export function costsTable(asked: readonly Asked[]): string {
  return table(
    ['policy', 'turns', 'tokens evaluated', 'reused', 'generated', 'passes', 'CPU time'],
    groups(asked, one => one.policy).map(([policy, runs]) => [
      `\`${policy}\``,
      ...costs.map(cost => {
        const value = runs.reduce((sum, one) => sum + one[cost], 0) / runs.length;
        return cost === 'cpu' ? `${value.toFixed(1)} s` : value.toFixed(cost === 'turns' ? 1 : 0);
      }),
    ]),
  );
}

/** Which sorts of question fail under each policy: right calls, and answers that hold the results. */
export function kindsTable(asked: readonly Asked[], policies: readonly string[]): string {
  const there = policies.filter(policy => asked.some(one => one.policy === policy));
  const kinds = groups(
    asked.filter(one => one.tools && there.includes(one.policy)),
    one => one.kind.replace(/^two rounds.*/, 'two rounds'),
  ).sort(([left], [right]) => left.localeCompare(right));
  return table(
    ['right calls / answers that hold the results', ...there.map(policy => `\`${policy}\``)],
    kinds.map(([kind, runs]) => [
      kind,
      ...there.map(policy => {
        const own = runs.filter(one => one.policy === policy);
        const count = (is: (one: Asked) => boolean) => own.filter(is).length;
        return `${count(one => one.right)} / ${count(one => one.holds)} of ${own.length}`;
      }),
    ]),
  );
}

function rate(runs: readonly Asked[], { of, is }: Column): string {
  const counted = runs.filter(of);
  const right = counted.filter(is).length;
  if (counted.length === 0) return '–';
  const { low, high } = wilson(right, counted.length);
  const percent = (share: number) => Math.round(100 * share);
  return `${right} of ${counted.length}: **${percent(right / counted.length)} %** (${percent(low)}–${percent(high)})`;
}

function groups(asked: readonly Asked[], key: (one: Asked) => string): [string, Asked[]][] {
  const found = new Map<string, Asked[]>();
  for (const one of asked) found.set(key(one), [...(found.get(key(one)) ?? []), one]);
  return [...found];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n');
}
