/** An evaluation for the page: what the report that is a file shows, as data. */
import { z } from 'zod';
import { RawcallError } from '../../../parsers/error.ts';
import { type Metrics, metricsOf, type RateName, rateDefinitions } from '../../eval/metrics.ts';
import { reportVersion } from '../../eval/report/json.ts';
import { passed, type ResultsFile, tasksOf, variantsOf } from '../../eval/report/variants.ts';
import { whyNot } from '../../eval/report/why.ts';
import type { Sample, TaskSummary } from '../../eval/results.ts';
import type { EvalReport, FailedSample, RateColumn, ReportTask, ReportVariant } from './runs-protocol.ts';

export function evalReport(file: ResultsFile): EvalReport {
  const { header, samples } = file.results;
  const variants = variantsOf([file]);
  const numbers = new Map(samples.map((sample, number) => [sample, number]));
  const tasks = tasksOf(variants).map(({ task, asked }) => ({
    ...task,
    asked: asked.map(({ of, samples: own }) => ({
      variant: of.number,
      samples: own.length,
      right: own.filter(passed).length,
      failed: own.flatMap(sample => failedSample(sample, numbers.get(sample) ?? 0)),
    })),
  }));
  return withRates({
    set: header.set,
    seed: header.seed,
    settings: header.settings,
    started: header.started,
    variants: variants.map(({ number, label, missing, failed, samples: own, variant }) => ({
      ...variant,
      ...{ number, label, missing, metrics: metricsOf(own) },
      ...(failed ? { failed: failed.message } : {}),
    })),
    tasks,
  });
}

function failedSample(sample: Sample, number: number): FailedSample[] {
  const why = whyNot(sample);
  if (why === undefined) return [];
  const { seed, calls, answer, transcript } = sample;
  return [
    {
      ...{ number, sample: sample.sample + 1, seed, why, answer, recorded: transcript !== undefined },
      calls: calls.map(({ tool, argumentsText, problem }) => ({
        ...{ tool, argumentsText },
        ...(problem === undefined ? {} : { problem }),
      })),
    },
  ];
}

function withRates(report: Omit<EvalReport, 'rates'>): EvalReport {
  const rates = (Object.keys(rateDefinitions) as RateName[]).flatMap((name): RateColumn[] => {
    if (!report.variants.some(({ metrics }) => metrics.rates[name].of > 0)) return [];
    const { title, of, better } = rateDefinitions[name];
    return [{ name, title, of, better }];
  });
  return { ...report, rates };
}

/** What `rawcall eval report --reporter json` writes. */
interface JsonReport {
  readonly variants: readonly (Omit<ReportVariant, 'failed'> & {
    readonly set: string;
    readonly seed: number;
    readonly failed?: { readonly message: string };
    readonly metrics: Metrics;
  })[];
  readonly tasks: readonly (TaskSummary & {
    readonly asked: readonly { readonly variant: string; readonly samples: number; readonly right: number }[];
  })[];
}

/** As much of it as a page would stumble over. */
const shape = z.looseObject({
  version: z.literal(reportVersion, `This rawcall reads reports of version ${reportVersion}.`),
  variants: z.array(
    z.looseObject({
      number: z.int(),
      id: z.string(),
      label: z.string(),
      metrics: z.looseObject({
        rates: z.looseObject(
          Object.fromEntries(
            Object.keys(rateDefinitions).map(name => [name, z.looseObject({ of: z.number() })]),
          ),
        ),
        tokens: z.looseObject({ evaluated: z.number(), generated: z.number() }),
        samples: z.number(),
      }),
    }),
  ),
  tasks: z.array(
    z.looseObject({
      id: z.string(),
      query: z.string(),
      asked: z.array(z.looseObject({ variant: z.string() })),
    }),
  ),
});

/** Of such a report, which has no samples. @throws RawcallError `bad_results` */
export function evalReportOf(json: unknown, name: string): EvalReport {
  const { error } = shape.safeParse(json);
  if (error) {
    const [{ path = [], message = '' } = {}] = error.issues;
    const place = path
      .map(step => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
      .join('')
      .slice(1);
    throw new RawcallError('bad_results', `${name}: ${place}: ${message}`, { file: name });
  }
  const { variants, tasks } = json as unknown as JsonReport;
  const numbers = new Map(variants.map(({ id, number }) => [id, number]));
  return withRates({
    set: [...new Set(variants.map(({ set }) => set))].join(', '),
    variants: variants.map(({ failed, ...variant }) => ({
      ...variant,
      ...(failed ? { failed: failed.message } : {}),
    })),
    tasks: tasks.map(
      (task): ReportTask => ({
        ...task,
        asked: task.asked.map(({ variant, samples, right }) => ({
          ...{ variant: numbers.get(variant) ?? 0, samples, right, failed: [] },
        })),
      }),
    ),
  });
}
