/** A report for programs: what the page shows, as one JSON object. */
import { metricsOf } from '../metrics.ts';
import { confusionOf } from './confusion.ts';
import { passed, tasksOf, type VariantResults } from './variants.ts';

/** Grows when a reader of old reports would misread new ones. */
export const reportVersion = 1;

export function jsonReport(variants: readonly VariantResults[]): string {
  const report = {
    type: 'eval-report',
    version: reportVersion,
    variants: variants.map(
      ({ number, id, label, variant, file, header, started, failed, samples, missing }) => {
        const { id: _, ...parts } = variant;
        return {
          number,
          id,
          label,
          ...parts,
          file,
          set: header.set,
          tasksHash: header.tasksHash,
          seed: header.seed,
          ...(started ? { opened: { format: started.format, policy: started.policy } } : {}),
          ...(failed ? { failed: { code: failed.code, message: failed.message } } : {}),
          missing,
          metrics: metricsOf(samples),
          confusion: confusionOf(samples).map(({ expected, called, count }) => ({
            expected: expected || null,
            called: called || null,
            count,
          })),
        };
      },
    ),
    tasks: tasksOf(variants).map(({ task, asked }) => ({
      ...task,
      asked: asked.map(({ of, samples }) => ({
        variant: of.id,
        samples: samples.length,
        right: samples.filter(passed).length,
      })),
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
