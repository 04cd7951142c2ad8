/** `rawcall eval`: tasks asked of every variant of a matrix, kept sample by sample, and counted at the end. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { checkTasks } from '../../eval/check-tasks.ts';
import { matchings } from '../../eval/matching.ts';
import { type MatrixVariant, matrixOf } from '../../eval/matrix.ts';
import { inWords } from '../../eval/progress.ts';
import { type EvalEnd, type EvalHeader, resultsVersion, type Sample } from '../../eval/results.ts';
import { openResults } from '../../eval/results-file.ts';
import { type EvalEvent, evaluate } from '../../eval/run.ts';
import type { ModelEntry, Task, TaskSet } from '../../eval/task.ts';
import { readTaskFile } from '../../eval/task-file.ts';
import { openToolPool } from '../../eval/tool-pool.ts';
import { exitCodes, usageError } from '../exit.ts';
import { evalsFolder } from '../folders.ts';
import { thisProgram } from '../open-tools.ts';
import { forOut, writeOut } from '../output.ts';
import { packageVersion, practiceModel } from '../package.ts';
import type { Context } from '../program.ts';
import { clearProgress, showProgress } from '../progress-line.ts';
import { settings, type Values } from '../settings.ts';
import { notice } from '../show.ts';
import { type EvalFlags, evalSettings } from './flags.ts';
import { openVariants } from './open-variant.ts';
import { writeReports } from './report.ts';
import { resultsTable } from './table.ts';
import { taskFile } from './task-sets.ts';

/** Servers may have to be loaded first. */
const startTimeout = 120_000;

export async function evaluateTasks(
  given: string | undefined,
  { values, lifetime }: Context,
  flags: EvalFlags,
): Promise<number> {
  const set = await readTaskFile(taskFile(given));
  const variants = variantsOf(set, values, flags);
  const pool = openToolPool(set.servers, set.stubs, { self: thisProgram(), startTimeout });
  lifetime.closeAtEnd(() => pool.close());
  const { tasks: good, bad } = await checkTasks(set, pool);
  for (const { message } of bad) notice(`This task is left out. ${message}`);
  const tasks = good.filter(task => isAsked(task, flags));
  if (tasks.length === 0) throw usageError(`${set.file}: there is no task to ask.`);

  const header = headerOf(set, tasks, variants, values, flags);
  const file = flags.out ?? ownFile(set.name);
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  const results = await openResults(file, header);
  lifetime.closeAtEnd(results.close);
  const { earlier } = results;
  if (earlier.samples.length > 0)
    notice(`${file} has ${earlier.samples.length} samples already: the rest is taken.`);
  if (header.samples > 1 && !isRandom(set, values))
    notice('The temperature is 0, so that the samples of a task are all alike: give --temperature.');

  const { settings, servers } = set;
  const { parallel } = flags;
  const opened = openVariants({
    values,
    settings,
    servers,
    lifetime,
    file,
    ...(parallel ? { parallel } : {}),
  });
  const samples = new Map(earlier.samples.map(sample => [keyOf(sample), sample]));
  const failed = new Set<string>();
  const stop = new AbortController();
  using _ = lifetime.interruptible(() => stop.abort());
  const { maxTime, maxTokensTotal } = flags;
  const end = await evaluate({
    tasks,
    variants,
    samples: header.samples,
    seed: header.seed,
    matching: matchings[set.matching],
    tools: pool,
    async open(variant) {
      const open = await opened.open(variant);
      // On the way out this comes before the model's own end, so that no sample breaks off by it.
      lifetime.closeAtEnd(async () => stop.abort());
      return open;
    },
    closeModel: opened.closeModel,
    earlier,
    append: results.append,
    budget: {
      ...(maxTime === undefined ? {} : { seconds: maxTime }),
      ...(maxTokensTotal === undefined ? {} : { tokens: maxTokensTotal }),
    },
    now: () => performance.now(),
    signal: stop.signal,
    report: reporter(samples, failed),
  });
  clearProgress();
  await writeOut(forOut(resultsTable({ header, samples: [...samples.values()] })));
  await writeReports(flags, file);
  tellEnd(end, file, given);
  return exitCodeOf(end, [...samples.values()], failed.size, bad.length);
}

function variantsOf({ matrix }: TaskSet, values: Values, flags: EvalFlags): MatrixVariant[] {
  const { format, policy, constrain, schemaForm } = flags;
  const models: ModelEntry[] = (flags.model ?? []).map(file => ({
    path: settings.model.isPath(file) ? path.resolve(file) : file,
  }));
  const { endpoint, endpointModel, api } = values;
  if (endpoint)
    models.push({
      endpoints: endpoint,
      ...(endpointModel === undefined ? {} : { name: endpointModel }),
      ...(api === 'completions' || api === 'chat' ? { api } : {}),
    });
  return matrixOf({
    ...matrix,
    models: models.length > 0 ? models : (matrix.models ?? [{ path: practiceModel }]),
    ...(format ? { formats: format } : {}),
    ...(policy ? { policies: policy } : {}),
    ...(constrain ? { constrain } : {}),
    ...(schemaForm ? { schemaForms: schemaForm } : {}),
  });
}

function isAsked({ id, tags }: Task, { filter, tag }: EvalFlags): boolean {
  return (
    (filter === undefined || id.includes(filter)) &&
    (tag === undefined || tag.some(one => tags.includes(one)))
  );
}

function isRandom({ settings }: TaskSet, { temperature = settings.temperature ?? 0 }: Values): boolean {
  return temperature > 0;
}

function headerOf(
  set: TaskSet,
  tasks: readonly Task[],
  variants: readonly MatrixVariant[],
  values: Values,
  { samples = set.settings.samples ?? 1 }: EvalFlags,
): EvalHeader {
  const told = evalSettings.filter(
    name => !['endpointKey', 'record', 'redact', 'seed', 'endpoint', 'yes'].includes(name),
  );
  return {
    type: 'eval-start',
    version: resultsVersion,
    rawcall: packageVersion(),
    set: set.name,
    tasksHash: set.hash,
    tasks: tasks.map(({ id, tags, query, expected }) => ({ id, tags, query, expected })),
    variants: variants.map(({ id, model, format, policy, constrain, schemaForm }) => ({
      id,
      model,
      format,
      policy,
      constrain,
      schemaForm,
    })),
    samples,
    seed: values.seed ?? set.settings.seed ?? 1,
    settings: JSON.parse(JSON.stringify(Object.fromEntries(told.map(name => [name, values[name]])))),
    started: new Date().toISOString(),
  };
}

/** `starter-20261130-155016.jsonl`, where the user's data are. */
function ownFile(set: string): string {
  const time = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return path.join(evalsFolder(), `${set}-${time}.jsonl`);
}

const keyOf = ({ variant, task, sample }: Sample) => `${variant} ${sample} ${task}`;

/** In a pipe, where no line is replaced, how far it is is said from time to time. */
const pause = 30_000;

function reporter(samples: Map<string, Sample>, failed: Set<string>): (event: EvalEvent) => void {
  let told = Date.now();
  return event => {
    if (event.type === 'sample') samples.set(keyOf(event.sample), event.sample);
    else if (event.type === 'variant-start') failed.delete(event.start.variant);
    else if (event.type === 'variant-failed') {
      failed.add(event.variant);
      notice(`${event.variant} is given up: ${event.message}`);
    } else {
      const { done, of, left } = event.estimate;
      const rest = left === undefined ? '' : `, ${inWords(left)} left`;
      const text = `${done}/${of}${rest}: ${event.variant}, ${event.task}`;
      if (process.stderr.isTTY) showProgress(text);
      else if (Date.now() - told >= pause) {
        told = Date.now();
        notice(text);
      }
    }
  };
}

const whyEnded = {
  done: 'they could not be taken',
  time: 'the time of --max-time is up',
  tokens: 'the tokens of --max-tokens-total are used up',
  interrupted: 'it was interrupted',
} satisfies Record<EvalEnd['reason'], string>;

function tellEnd({ reason, left }: EvalEnd, file: string, tasks: string | undefined): void {
  if (left > 0)
    notice(
      `${left === 1 ? '1 sample is' : `${left} samples are`} left: ${whyEnded[reason]}. Go on: rawcall eval ${tasks} --out ${file}, with the same flags`,
    );
  notice(`The results are in ${file}. More of them: rawcall eval report ${file}`);
}

function exitCodeOf({ reason }: EvalEnd, samples: readonly Sample[], failed: number, bad: number): number {
  if (reason === 'interrupted') return exitCodes.interrupted;
  if (bad > 0) return exitCodes.usage;
  if (failed > 0 || samples.some(({ error }) => error !== undefined)) return exitCodes.error;
  return reason === 'done' ? exitCodes.answered : exitCodes.limit;
}
