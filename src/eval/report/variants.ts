/** What reports are about: the variants of one or more results files, numbered, each with its samples. */
import path from 'node:path';
import type {
  EvalHeader,
  Results,
  Sample,
  TaskSummary,
  Variant,
  VariantFailed,
  VariantStart,
} from '../results.ts';

export interface ResultsFile {
  readonly file: string;
  readonly results: Results;
}

export interface VariantResults {
  /** From 1: by it a variant is found again in every table and plot. */
  readonly number: number;
  /** The variant's id; where two files have the same one, with the file's name before it. */
  readonly id: string;
  /** What tells it from the others, for people. */
  readonly label: string;
  readonly variant: Variant;
  readonly file: string;
  readonly header: EvalHeader;
  readonly started: VariantStart | undefined;
  readonly failed: VariantFailed | undefined;
  readonly samples: readonly Sample[];
  /** Samples that were to be taken and are not there. */
  readonly missing: number;
}

export interface TaskResults {
  readonly task: TaskSummary;
  /** Of each variant that was asked this, in the order of their numbers. */
  readonly asked: readonly { readonly of: VariantResults; readonly samples: readonly Sample[] }[];
}

const titles = {
  model: 'Model',
  format: 'Format',
  policy: 'Policy',
  constrain: 'Constrain',
  schemaForm: 'Schema form',
} as const satisfies Partial<Record<keyof Variant, string>>;
const parts = Object.keys(titles) as (keyof typeof titles)[];

export function variantsOf(files: readonly ResultsFile[]): readonly VariantResults[] {
  const all = files.flatMap(({ file, results }) =>
    results.header.variants.map(variant => ({ file, results, variant })),
  );
  const varying = parts.filter(part => new Set(all.map(({ variant }) => variant[part])).size > 1);
  return all.map(({ file, results: { header, started, failed, samples }, variant }, at) => {
    const own = samples.filter(sample => sample.variant === variant.id);
    const twice = all.filter(other => other.variant.id === variant.id).length > 1;
    const words = varying.map(part => variant[part]).join(' · ') || variant.model;
    const origin = path.basename(file, '.jsonl');
    return {
      number: at + 1,
      id: twice ? `${origin}/${variant.id}` : variant.id,
      label: twice ? `${origin}: ${words}` : words,
      variant,
      file,
      header,
      started: started.get(variant.id),
      failed: failed.find(one => one.variant === variant.id),
      samples: own,
      missing: header.tasks.length * header.samples - own.length,
    };
  });
}

/** What is the same for all of them, such as the model where only formats are compared. */
export function commonParts(variants: readonly VariantResults[]): readonly (readonly [string, string])[] {
  return parts.flatMap(part => {
    const values = new Set(variants.map(({ variant }) => variant[part]));
    const [only] = values;
    return values.size === 1 && only !== undefined ? [[titles[part], only]] : [];
  });
}

/** In the order in which the files have them. */
export function tasksOf(variants: readonly VariantResults[]): readonly TaskResults[] {
  const tasks = new Map<string, TaskSummary>();
  for (const { header } of variants)
    for (const task of header.tasks) if (!tasks.has(task.id)) tasks.set(task.id, task);
  const asked = variants.map(of => ({ of, byTask: byTask(of.samples) }));
  return [...tasks.values()].map(task => ({
    task,
    asked: asked.flatMap(({ of, byTask }) => {
      const samples = byTask.get(task.id);
      return samples ? [{ of, samples }] : [];
    }),
  }));
}

function byTask(samples: readonly Sample[]): ReadonlyMap<string, readonly Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const group = groups.get(sample.task);
    if (group) group.push(sample);
    else groups.set(sample.task, [sample]);
  }
  return groups;
}

/** All that the task says holds: its calls, and its answer. */
export function passed({ scores, error }: Sample): boolean {
  return error === undefined && scores.right && scores.answerHolds !== false;
}
