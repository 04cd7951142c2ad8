/** Results for build servers: a suite for each variant, a case for each sample. */
import { xml } from '../../xml.ts';
import type { VariantResults } from './variants.ts';
import { whyNot } from './why.ts';

export function junit(variants: readonly VariantResults[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${variants.map(suite).join('')}</testsuites>\n`;
}

function suite({ id, samples, failed }: VariantResults): string {
  let failures = 0;
  let errors = 0;
  const cases = samples.map(sample => {
    const { task, sample: number, usage, error, answer, calls } = sample;
    const attributes = `classname="${xml(id)}" name="${xml(`${task} #${number + 1}`)}" time="${(usage.total / 1000).toFixed(3)}"`;
    const why = whyNot(sample);
    if (why === undefined) return `<testcase ${attributes}/>\n`;
    if (error) errors++;
    else failures++;
    const made = calls.map(({ tool, argumentsText }) => `${tool} ${argumentsText}`);
    const details = [...made, `answer: ${answer}`].join('\n');
    const kind = error ? 'error' : 'failure';
    return `<testcase ${attributes}><${kind} message="${xml(why)}">${xml(details)}</${kind}></testcase>\n`;
  });
  if (failed) {
    errors++;
    const attributes = `classname="${xml(id)}" name="the variant as a whole"`;
    cases.push(`<testcase ${attributes}><error message="${xml(failed.message)}"/></testcase>\n`);
  }
  const counts = `tests="${cases.length}" failures="${failures}" errors="${errors}"`;
  return `<testsuite name="${xml(id)}" ${counts}>\n${cases.join('')}</testsuite>\n`;
}
