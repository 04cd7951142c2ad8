/** The figures of an evaluation as plain tables: a line for each figure, a column for each variant, as many as there is room for. */
import { type Metrics, metricsOf, type Rate, type RateName, rateDefinitions } from '../../eval/metrics.ts';
import { commonParts, variantsOf } from '../../eval/report/variants.ts';
import type { Results } from '../../eval/results.ts';
import { textTable } from '../text-table.ts';

interface Column {
  readonly title: string;
  readonly metrics: Metrics;
}

/** `82 % (70–90) of 60`, the interval in brackets. */
export function rateText({ rate, of, interval }: Rate): string {
  if (rate === undefined) return '–';
  const percent = (share: number) => Math.round(share * 100);
  return `${percent(rate)} % (${percent(interval.low)}–${percent(interval.high)}) of ${of}`;
}

export function resultsTable(
  { header, samples }: Pick<Results, 'header' | 'samples'>,
  width = process.stdout.columns || 160,
): string {
  const results = { header, samples, started: new Map(), failed: [] };
  const variants = variantsOf([{ file: '', results }]);
  const columns = variants.map(({ label, samples: own }) => ({ title: label, metrics: metricsOf(own) }));
  const common = commonParts(variants).map(([title, value]) => `${title.toLowerCase()} ${value}`);
  return [...(common.length > 0 ? [`${common.join(', ')}\n`] : []), ...tables(columns, width)].join('\n');
}

/** One table, or several where one would be too wide. */
function tables(columns: readonly Column[], width: number): string[] {
  const whole = table(columns);
  const isTooWide = whole.split('\n').some(line => line.length > width);
  if (!isTooWide || columns.length === 1) return [whole];
  const half = Math.ceil(columns.length / 2);
  return [...tables(columns.slice(0, half), width), ...tables(columns.slice(half), width)];
}

function table(columns: readonly Column[]): string {
  const row = (title: string, cell: (metrics: Metrics) => string) => [
    title,
    ...columns.map(({ metrics }) => cell(metrics)),
  ];
  const rates = (Object.keys(rateDefinitions) as RateName[])
    .filter(name => columns.some(({ metrics }) => metrics.rates[name].of > 0))
    .map(name => row(rateDefinitions[name].title, ({ rates }) => rateText(rates[name])));
  const each = (sum: (tokens: Metrics['tokens']) => number) => (metrics: Metrics) =>
    metrics.samples === 0 ? '–' : (sum(metrics.tokens) / metrics.samples).toFixed(0);
  return textTable(
    ['', ...columns.map(({ title }) => title)],
    [
      row('samples', ({ samples, errors }) =>
        errors > 0 ? `${samples} + ${errors} broken off` : `${samples}`,
      ),
      ...rates,
      row('calls', ({ calls }) => String(calls.made)),
      row('needless calls', ({ calls }) => String(calls.needless)),
      row('repeated calls', ({ calls }) => String(calls.repeated)),
      row('malformed calls', ({ problems }) => counted(problems)),
      row('repairs', ({ repairs }) => counted(repairs)),
      row(
        'tokens evaluated, a sample',
        each(({ evaluated }) => evaluated),
      ),
      row(
        'tokens reused',
        each(({ reused }) => reused),
      ),
      row(
        'tokens generated',
        each(({ generated }) => generated),
      ),
      row('time to first token, median', ({ firstToken }) => seconds(firstToken?.median)),
      row('time in all', ({ total }) => seconds(total?.median)),
    ],
  );
}

function counted(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts);
  return entries.length === 0 ? '0' : entries.map(([name, count]) => `${count} ${name}`).join(', ');
}

const seconds = (milliseconds: number | undefined) =>
  milliseconds === undefined ? '–' : `${(milliseconds / 1000).toFixed(2)} s`;
