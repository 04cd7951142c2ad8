/** `rawcall eval compare`: what became better or worse, for people and for CI. */
import pc from 'picocolors';
import {
  type Change,
  type ComparedVariant,
  type Comparison,
  compare,
  type MetricName,
  metricNames,
} from '../../eval/compare.ts';
import { countText, percentText, timeText } from '../../eval/report/words.ts';
import { readResults } from '../../eval/results-file.ts';
import { nearest } from '../../nearest.ts';
import { exitCodes, usageError } from '../exit.ts';
import { visible, writeOut } from '../output.ts';
import { notice } from '../show.ts';
import { textTable } from '../text-table.ts';

export interface CompareFlags {
  readonly threshold: number;
  readonly metric?: readonly string[];
  readonly pair?: readonly string[];
  readonly reporter: 'table' | 'json';
}

export async function compareResults(before: string, after: string, flags: CompareFlags): Promise<number> {
  const { threshold, metric, pair, reporter } = flags;
  const metrics = metric?.map(metricNamed);
  const [first, second] = await Promise.all([readResults(before), readResults(after)]);
  const comparison = compare(first, second, {
    threshold,
    ...(metrics ? { metrics } : {}),
    ...(pair ? { pairs: pair.map(pairNamed) } : {}),
  });
  const regressions = comparison.variants.flatMap(of =>
    of.changes.filter(({ verdict }) => verdict === 'regression').map(change => ({ of, change })),
  );
  const incomplete = gapsOf(comparison);
  if (reporter === 'json')
    await writeOut(`${JSON.stringify({ type: 'eval-comparison', threshold, ...comparison }, null, 2)}\n`);
  else await writeOut(comparisonText(comparison, regressions));
  for (const gap of incomplete) notice(gap);
  if (regressions.length > 0) return exitCodes.error;
  return incomplete.length > 0 ? exitCodes.limit : exitCodes.answered;
}

function metricNamed(name: string): MetricName {
  const found = metricNames.find(one => one === name);
  if (found) return found;
  const meant = nearest(name, metricNames);
  throw usageError(
    `--metric has no "${name}".${meant ? ` Did you mean ${meant}?` : ''} There are: ${metricNames.join(', ')}.`,
  );
}

function pairNamed(text: string): readonly [string, string] {
  const [before = '', after = '', ...more] = text.split('=');
  if (before !== '' && after !== '' && more.length === 0) return [before, after];
  throw usageError(`--pair is "${text}". It must be two variants' ids: OLD=NEW.`);
}

/** Why what was compared is not all that there is. */
function gapsOf({ missing, variants, otherTasks }: Comparison): string[] {
  const unpaired = variants.filter(one => one.unpaired > 0);
  return [
    ...(missing.length > 0
      ? [
          `The second evaluation does not have ${missing.join(', ')}. --pair OLD=NEW compares variants of other names.`,
        ]
      : []),
    ...unpaired.map(one => `${one.after}: ${one.unpaired} samples of the first evaluation have no partner.`),
    ...(otherTasks.length > 0
      ? [
          `${otherTasks.length} tasks are not the same in both and were left out: ${otherTasks.slice(0, 5).join(', ')}${otherTasks.length > 5 ? ', …' : ''}`,
        ]
      : []),
  ];
}

type Found = readonly { readonly of: ComparedVariant; readonly change: Change }[];

function comparisonText({ variants }: Comparison, regressions: Found): string {
  const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported);
  const tables = variants.map(
    one => `${heading(one)}\n${textTable(titles, one.changes.map(row), [1, 2, 3, 4, 5, 6])}`,
  );
  const verdicts =
    regressions.length === 0
      ? [`${colors.green('✓')} no regression`]
      : regressions.map(
          ({ of, change }) =>
            `${colors.red('✗')} regression: ${change.title} of ${visible(of.after)}, ${valueText(change, change.before)} → ${valueText(change, change.after)}`,
        );
  return `${visible(tables.join('\n'))}\n${verdicts.join('\n')}\n`;
}

function heading({ before, after, tasks, pairs }: ComparedVariant): string {
  return `${before === after ? after : `${before} → ${after}`}: ${tasks} tasks, ${pairs} pairs`;
}

const titles = ['metric', 'before', 'after', 'change', 'better', 'worse', 'p', ''];

function row(change: Change): string[] {
  const { title, before, after, won, lost, corrected, verdict } = change;
  return [
    title,
    valueText(change, before),
    valueText(change, after),
    changeText(change),
    String(won),
    String(lost),
    corrected === undefined ? 'not tested' : likelihood(corrected),
    verdict ?? '',
  ];
}

function valueText({ kind, metric }: Change, value: number): string {
  if (kind === 'rate') return percentText(value);
  return metric === 'firstToken' || metric === 'total' ? timeText(value) : countText(value);
}

function changeText({ kind, change }: Change): string {
  const sign = change > 0 ? '+' : change < 0 ? '−' : '';
  return `${sign}${Math.abs(change).toFixed(1)} ${kind === 'rate' ? 'points' : '%'}`;
}

function likelihood(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}
