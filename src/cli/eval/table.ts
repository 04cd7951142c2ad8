/** The figures of an evaluation as a plain table, a row for each variant. */
import { type Metrics, metricsOf, type Rate, type RateName, rateDefinitions } from '../../eval/metrics.ts';
import type { Results } from '../../eval/results.ts';
import { textTable } from '../text-table.ts';

/** `82 % (70–90)`, the interval in brackets; how many they were, where few. */
export function rateText({ rate, of, interval }: Rate): string {
  if (rate === undefined) return '–';
  const percent = (share: number) => Math.round(share * 100);
  return `${percent(rate)} % (${percent(interval.low)}–${percent(interval.high)})${of < 30 ? ` of ${of}` : ''}`;
}

export function resultsTable({ header, samples }: Pick<Results, 'header' | 'samples'>): string {
  const rows = header.variants.map(({ id }) => ({
    id,
    metrics: metricsOf(samples.filter(({ variant }) => variant === id)),
  }));
  const names = (Object.keys(rateDefinitions) as RateName[]).filter(name =>
    rows.some(({ metrics }) => metrics.rates[name].of > 0),
  );
  const rates = textTable(
    ['variant', 'samples', ...names.map(name => rateDefinitions[name].title)],
    rows.map(({ id, metrics }) => [
      id,
      `${metrics.samples}${metrics.errors > 0 ? ` + ${metrics.errors} broken off` : ''}`,
      ...names.map(name => rateText(metrics.rates[name])),
    ]),
  );
  const costs = textTable(
    [
      'variant',
      'calls',
      'needless',
      'repeated',
      'malformed',
      'repairs',
      'evaluated',
      'reused',
      'generated',
      'first token',
      'in all',
    ],
    rows.map(({ id, metrics }) => [id, ...costsOf(metrics)]),
  );
  return `${rates}\n${costs}`;
}

/** Tokens and times are those of one sample. */
function costsOf({ calls, problems, repairs, tokens, firstToken, total, samples }: Metrics): string[] {
  const each = (sum: number) => (samples === 0 ? '–' : (sum / samples).toFixed(0));
  return [
    String(calls.made),
    String(calls.needless),
    String(calls.repeated),
    counted(problems),
    counted(repairs),
    each(tokens.evaluated),
    each(tokens.reused),
    each(tokens.generated),
    seconds(firstToken?.median),
    seconds(total?.median),
  ];
}

function counted(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts);
  return entries.length === 0 ? '0' : entries.map(([name, count]) => `${count} ${name}`).join(', ');
}

const seconds = (milliseconds: number | undefined) =>
  milliseconds === undefined ? '–' : `${(milliseconds / 1000).toFixed(2)} s`;
