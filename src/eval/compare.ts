/**
 * What became better or worse from one evaluation to another, and whether that could be chance. Only pairs are compared: the same
 * task with the same seed in both. docs/eval.md says which tests are made, and why.
 */
import { RawcallError } from '../../parsers/error.ts';
import { type RateName, rateDefinitions } from './metrics.ts';
import type { Results, Sample, TaskSummary } from './results.ts';
import { holm, median, signFlipTest, signTest } from './significance.ts';

/** Tokens and times of a sample; less is better. */
export const costDefinitions = {
  evaluated: { title: 'tokens evaluated', cost: ({ usage }) => usage.evaluated },
  generated: { title: 'tokens generated', cost: ({ usage }) => usage.generated },
  firstToken: { title: 'time to first token', cost: ({ usage }) => usage.firstToken },
  total: { title: 'total time', cost: ({ usage }) => usage.total },
} as const satisfies Record<string, { title: string; cost: (sample: Sample) => number | undefined }>;

export type CostName = keyof typeof costDefinitions;
export type MetricName = RateName | CostName | 'errors';

const times: readonly MetricName[] = ['firstToken', 'total'];
export const metricNames: readonly MetricName[] = [
  ...(Object.keys(rateDefinitions) as RateName[]),
  'errors',
  ...(Object.keys(costDefinitions) as CostName[]),
];

export interface CompareOptions {
  /** What is tested. Default: all but times, which are shown all the same: they change with the machine. */
  readonly metrics?: readonly MetricName[];
  /** In percentage points for rates, in per cent for tokens and times. */
  readonly threshold: number;
  /** Ids of variants, the earlier one first. Default: those with the same id, or the only one of each. */
  readonly pairs?: readonly (readonly [string, string])[];
}

export interface Comparison {
  readonly variants: readonly ComparedVariant[];
  /** Variants of the first one that the second one does not have. */
  readonly missing: readonly string[];
  /** Tasks that are not the same in both, or in one of them alone. */
  readonly otherTasks: readonly string[];
}

export interface ComparedVariant {
  readonly before: string;
  readonly after: string;
  readonly tasks: number;
  readonly pairs: number;
  /** Samples of the first one without a partner. */
  readonly unpaired: number;
  readonly changes: readonly Change[];
}

export interface Change {
  readonly metric: MetricName;
  readonly title: string;
  readonly kind: 'rate' | 'cost';
  readonly better: 'higher' | 'lower';
  /** Over the pairs that have it: the rate, or the median over tasks. */
  readonly before: number;
  readonly after: number;
  /** Of a rate in percentage points; of a cost in per cent, the median over tasks. */
  readonly change: number;
  readonly pairs: number;
  /** Pairs of a rate, or tasks of a cost, that came out better, and worse. */
  readonly won: number;
  readonly lost: number;
  /** How likely a difference like this is where nothing differs. */
  readonly p: number;
  /** The same with Holm's correction for all that was tested; absent where this was not. */
  readonly corrected?: number;
  /** Beyond the threshold and significant. */
  readonly verdict?: 'regression' | 'improvement';
}

const significant = 0.05;

/** @throws RawcallError `nothing_to_compare` */
export function compare(before: Results, after: Results, options: CompareOptions): Comparison {
  const { same, others } = sharedTasks(before.header.tasks, after.header.tasks);
  const { pairs, missing } = variantPairs(before, after, options.pairs);
  const compared = pairs.map(([old, now]) =>
    comparedVariant(samplesOf(before, old), samplesOf(after, now), { before: old, after: now }, same),
  );
  if (compared.every(({ pairs }) => pairs === 0))
    throw new RawcallError(
      'nothing_to_compare',
      'The two evaluations have no sample in common: none of the same variant, task and seed. --pair OLD=NEW compares variants of other names.',
    );
  return { variants: judged(compared, options), missing, otherTasks: others };
}

function samplesOf({ samples }: Results, variant: string): readonly Sample[] {
  return samples.filter(sample => sample.variant === variant);
}

function sharedTasks(before: readonly TaskSummary[], after: readonly TaskSummary[]) {
  const said = ({ query, expected }: TaskSummary) => JSON.stringify([query, expected]);
  const old = new Map(before.map(task => [task.id, said(task)]));
  const same = new Set(after.filter(task => old.get(task.id) === said(task)).map(({ id }) => id));
  const ids = new Set([...before, ...after].map(({ id }) => id));
  return { same, others: [...ids].filter(id => !same.has(id)) };
}

function variantPairs(before: Results, after: Results, given: CompareOptions['pairs']) {
  const [old, now] = [before, after].map(({ header }) => header.variants.map(({ id }) => id)) as [
    string[],
    string[],
  ];
  if (given) {
    for (const [one, other] of given) {
      known(one, old, 'first');
      known(other, now, 'second');
    }
    return { pairs: given, missing: [] };
  }
  const [onlyOld, onlyNow] = [old[0], now[0]];
  if (old.length === 1 && now.length === 1 && onlyOld !== undefined && onlyNow !== undefined)
    return { pairs: [[onlyOld, onlyNow] as const], missing: [] };
  return {
    pairs: old.filter(id => now.includes(id)).map(id => [id, id] as const),
    missing: old.filter(id => !now.includes(id)),
  };
}

function known(id: string, ids: readonly string[], which: string): void {
  if (ids.includes(id)) return;
  throw new RawcallError(
    'nothing_to_compare',
    `The ${which} evaluation has no variant ${id}. It has: ${ids.join(', ')}.`,
    { variant: id },
  );
}

interface Pair {
  readonly task: string;
  readonly before: Sample;
  readonly after: Sample;
}

function comparedVariant(
  before: readonly Sample[],
  after: readonly Sample[],
  ids: { readonly before: string; readonly after: string },
  tasks: ReadonlySet<string>,
): ComparedVariant {
  const key = ({ task, sample, seed }: Sample) => JSON.stringify([task, sample, seed]);
  const partners = new Map(after.map(sample => [key(sample), sample]));
  const wanted = before.filter(({ task }) => tasks.has(task));
  const pairs = wanted.flatMap((sample): Pair[] => {
    const partner = partners.get(key(sample));
    return partner ? [{ task: sample.task, before: sample, after: partner }] : [];
  });
  // A run that broke off has no calls and no answer to count, but that it broke off is counted.
  const whole = pairs.filter(({ before, after }) => !before.error && !after.error);
  const rates = Object.entries(rateDefinitions).map(([name, { title, better, count }]) =>
    rateChange(name as RateName, title, better, whole, sample => {
      const { right, of } = count(sample);
      return of === 0 ? undefined : right === of;
    }),
  );
  const errors = rateChange('errors', 'errors', 'lower', pairs, ({ error }) => error !== undefined);
  const costs = Object.entries(costDefinitions).map(([name, { title, cost }]) =>
    costChange(name as CostName, title, whole, cost),
  );
  return {
    ...ids,
    tasks: new Set(pairs.map(({ task }) => task)).size,
    pairs: pairs.length,
    unpaired: wanted.length - pairs.length,
    changes: [...rates, errors, ...costs].filter(change => change !== undefined),
  };
}

/** Pairs of one task flip together: its samples are no questions of their own. */
function rateChange(
  metric: RateName | 'errors',
  title: string,
  better: 'higher' | 'lower',
  pairs: readonly Pair[],
  outcome: (sample: Sample) => boolean | undefined,
): Change | undefined {
  const differences = new Map<string, number>();
  const counts = { pairs: 0, before: 0, after: 0, up: 0, down: 0 };
  for (const pair of pairs) {
    const [old, now] = [outcome(pair.before), outcome(pair.after)];
    if (old === undefined || now === undefined) continue;
    const difference = Number(now) - Number(old);
    counts.pairs++;
    counts.before += Number(old);
    counts.after += Number(now);
    if (difference > 0) counts.up++;
    if (difference < 0) counts.down++;
    differences.set(pair.task, (differences.get(pair.task) ?? 0) + difference);
  }
  if (counts.pairs === 0) return undefined;
  const [won, lost] = better === 'higher' ? [counts.up, counts.down] : [counts.down, counts.up];
  return {
    metric,
    title,
    kind: 'rate',
    better,
    before: counts.before / counts.pairs,
    after: counts.after / counts.pairs,
    change: (100 * (counts.after - counts.before)) / counts.pairs,
    pairs: counts.pairs,
    won,
    lost,
    p: signFlipTest([...differences.values()]),
  };
}

function costChange(
  metric: CostName,
  title: string,
  pairs: readonly Pair[],
  cost: (sample: Sample) => number | undefined,
): Change | undefined {
  const tasks = new Map<string, { before: number; after: number; pairs: number }>();
  for (const { task, before, after } of pairs) {
    const [old, now] = [cost(before), cost(after)];
    if (old === undefined || now === undefined) continue;
    const sum = tasks.get(task) ?? { before: 0, after: 0, pairs: 0 };
    tasks.set(task, { before: sum.before + old, after: sum.after + now, pairs: sum.pairs + 1 });
  }
  const sums = [...tasks.values()];
  const before = median(sums.map(sum => sum.before / sum.pairs));
  const after = median(sums.map(sum => sum.after / sum.pairs));
  const change = median(sums.map(sum => 100 * relative(sum.before, sum.after)));
  if (before === undefined || after === undefined || change === undefined) return undefined;
  return {
    metric,
    title,
    kind: 'cost',
    better: 'lower',
    before,
    after,
    change,
    pairs: sums.reduce((total, sum) => total + sum.pairs, 0),
    won: sums.filter(sum => sum.after < sum.before).length,
    lost: sums.filter(sum => sum.after > sum.before).length,
    p: signTest(sums.map(sum => sum.after - sum.before)),
  };
}

function relative(before: number, after: number): number {
  return before === after ? 0 : after / before - 1;
}

/** Whether each change is one: with so many tests, some would come out by chance. */
function judged(
  compared: readonly ComparedVariant[],
  { metrics, threshold }: CompareOptions,
): readonly ComparedVariant[] {
  const tested = ({ metric }: Change) => metrics?.includes(metric) ?? !times.includes(metric);
  const all = compared.flatMap(({ changes }) => changes.filter(tested));
  const corrected = new Map(holm(all.map(({ p }) => p)).map((p, at) => [all[at], p]));
  const judge = (change: Change): Change => {
    const p = corrected.get(change);
    if (p === undefined) return change;
    const beyond = p < significant && Math.abs(change.change) > threshold;
    const better = change.change > 0 === (change.better === 'higher');
    return {
      ...change,
      corrected: p,
      ...(beyond ? { verdict: better ? 'improvement' : 'regression' } : {}),
    };
  };
  return compared.map(one => ({ ...one, changes: one.changes.map(judge) }));
}
