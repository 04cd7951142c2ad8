/**
 * The evaluation itself: every task asked of every variant, so often as was said. What is done is on the disk before the next
 * sample begins; a variant that fails is told and left, and the others go on.
 *
 * A model is opened once for all of its variants. They are asked in turns, so many tasks at a time, so that what was stopped early
 * can still be compared.
 */
import type { Agent, AgentOptions } from '../agent/agent.ts';
import type { RunPolicy } from '../agent/policy.ts';
import { type Asked, ask, failureOf } from './ask.ts';
import type { Matching } from './matching.ts';
import type { MatrixVariant } from './matrix.ts';
import { type Estimate, estimator } from './progress.ts';
import type { EvalEnd, ResultLine, Results, Sample, VariantStart } from './results.ts';
import type { Task } from './task.ts';
import type { TaskTools } from './task-tools.ts';
import type { ToolPool } from './tool-pool.ts';

/** What a sample is taken with. */
export interface Asking {
  readonly variant: MatrixVariant;
  readonly task: Task;
  readonly sample: number;
  readonly seed: number;
}

export interface OpenAgent {
  readonly agent: Agent;
  readonly options: AgentOptions;
  /** Where its run is recorded, relative to the results. */
  readonly transcript?: string;
  close(): void;
}

export interface OpenVariant {
  readonly about: Omit<VariantStart, 'type' | 'variant' | 'policy'> & { readonly policy: RunPolicy };
  /** How many samples may be taken at a time. */
  readonly atOnce: number;
  agent(asking: Asking, tools: TaskTools, onFirstPiece: () => void): OpenAgent;
}

export interface EvalOptions {
  readonly tasks: readonly Task[];
  readonly variants: readonly MatrixVariant[];
  readonly samples: number;
  readonly seed: number;
  readonly matching: Matching;
  readonly tools: ToolPool;
  readonly open: (variant: MatrixVariant) => Promise<OpenVariant>;
  /** The model of these variants is not asked any more. */
  readonly closeModel: (variant: MatrixVariant) => Promise<void>;
  readonly earlier: Results;
  readonly append: (line: ResultLine) => Promise<void>;
  readonly budget: { readonly seconds?: number; readonly tokens?: number };
  /** In milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly report: (event: EvalEvent) => void;
}

export type EvalEvent =
  | {
      readonly type: 'progress';
      readonly variant: string;
      readonly task: string;
      readonly estimate: Estimate;
    }
  | { readonly type: 'variant-start'; readonly start: VariantStart }
  | { readonly type: 'variant-failed'; readonly variant: string; readonly message: string }
  | { readonly type: 'sample'; readonly sample: Sample };

const blockSize = 20;
/** So many samples in a row that break off for the same reason, and the variant is given up. */
const patience = 3;

export async function evaluate(options: EvalOptions): Promise<EvalEnd> {
  const { tasks, variants, samples, seed, earlier, append, budget, now, signal, report } = options;
  const started = now();
  const done = new Set(earlier.samples.filter(({ error }) => !error).map(keyOf));
  const total = tasks.length * variants.length * samples;
  const estimate = estimator(total, done.size, now);
  let spent = 0;
  const dead = new Set<string>();

  function over(): EvalEnd['reason'] | undefined {
    if (signal.aborted) return 'interrupted';
    if (budget.seconds !== undefined && now() - started >= budget.seconds * 1000) return 'time';
    if (budget.tokens !== undefined && spent >= budget.tokens) return 'tokens';
    return undefined;
  }

  async function fail(variant: MatrixVariant, error: unknown): Promise<void> {
    dead.add(variant.id);
    const failure = failureOf(error);
    await append({ type: 'variant-failed', variant: variant.id, ...failure });
    report({ type: 'variant-failed', variant: variant.id, message: failure.message });
  }

  for (const group of byModel(variants)) {
    const opened = new Map<string, OpenVariant>();
    for (let start = 0; start < tasks.length; start += blockSize) {
      const block = tasks.slice(start, start + blockSize);
      for (const variant of group) {
        const askings = Array.from({ length: samples }, (_, sample) =>
          block.map((task): Asking => ({ variant, task, sample, seed: seed + sample })),
        ).flat();
        const left = askings.filter(asking => !done.has(keyOfAsking(asking)));
        if (left.length === 0 || dead.has(variant.id) || over()) continue;
        const open = opened.get(variant.id) ?? (await opening(variant));
        if (!open) continue;
        opened.set(variant.id, open);
        await takeAll(variant, open, left);
      }
    }
    const [first] = group;
    if (first && opened.size > 0) await options.closeModel(first);
  }
  const end: EvalEnd = { type: 'eval-end', reason: over() ?? 'done', left: total - done.size };
  const reason = end.left === 0 ? 'done' : end.reason;
  await append({ ...end, reason });
  return { ...end, reason };

  async function opening(variant: MatrixVariant): Promise<OpenVariant | undefined> {
    try {
      const open = await options.open(variant);
      const line: VariantStart = { type: 'variant-start', variant: variant.id, ...open.about };
      const before = earlier.started.get(variant.id);
      if (before && before.modelHash !== line.modelHash)
        throw new Error('its model is another one than the one that the results were begun with');
      await append(line);
      report({ type: 'variant-start', start: line });
      return open;
    } catch (error) {
      await fail(variant, error);
      return undefined;
    }
  }

  async function takeAll(variant: MatrixVariant, open: OpenVariant, left: readonly Asking[]): Promise<void> {
    const queue = [...left];
    /** How many broke off in a row, by the last one's code. */
    let failures = { code: '', count: 0 };
    async function work(): Promise<void> {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        if (over() || dead.has(variant.id)) return;
        report({ type: 'progress', variant: variant.id, task: next.task.id, estimate: estimate(done.size) });
        const sample = await take(next, open);
        if (!sample) return;
        await append(sample);
        spent += sample.usage.evaluated + sample.usage.generated;
        report({ type: 'sample', sample });
        if (!sample.error) {
          done.add(keyOf(sample));
          failures = { code: '', count: 0 };
          continue;
        }
        const { code, message } = sample.error;
        failures = { code, count: failures.code === code ? failures.count + 1 : 1 };
        if (failures.count >= patience && !dead.has(variant.id))
          await fail(variant, new Error(`${patience} samples in a row broke off: ${message}`));
      }
    }
    await Promise.all(Array.from({ length: Math.min(open.atOnce, left.length) }, work));
  }

  /** Nothing where it was interrupted. */
  async function take(asking: Asking, opened: OpenVariant): Promise<Sample | undefined> {
    const { variant, task, sample, seed } = asking;
    const lent = await options.tools.take(task);
    let asked: Asked | undefined;
    let open: OpenAgent | undefined;
    try {
      asked = await ask({
        task,
        tools: lent,
        matching: options.matching,
        agent: onFirstPiece => {
          open = opened.agent(asking, lent, onFirstPiece);
          return open;
        },
        now,
        signal,
      });
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      open?.close();
      await options.tools.giveBack(lent, asked?.leftTraces !== false);
    }
    if (!asked || signal.aborted) return undefined;
    const { leftTraces: _, ...rest } = asked;
    return {
      type: 'sample',
      variant: variant.id,
      task: task.id,
      sample,
      seed,
      tags: task.tags,
      expected: task.expected,
      ...rest,
      ...(open?.transcript === undefined ? {} : { transcript: open.transcript }),
    };
  }
}

const keyOf = ({ variant, task, sample }: Sample) => `${variant} ${sample} ${task}`;
const keyOfAsking = ({ variant, task, sample }: Asking) => `${variant.id} ${sample} ${task.id}`;

/** Variants of one model together, in the order of their first ones. */
function byModel(variants: readonly MatrixVariant[]): MatrixVariant[][] {
  const groups = new Map<string, MatrixVariant[]>();
  for (const variant of variants) groups.set(variant.model, [...(groups.get(variant.model) ?? []), variant]);
  return [...groups.values()];
}
