/** How `rawcall check` tells what it found: to people, to a program, or to a build server. */
import pc from 'picocolors';
import { type CheckedCase, passed } from '../check/check-file.ts';
import { describeFailure } from '../check/describe.ts';
import { jsonLine } from '../json.ts';
import { xml } from '../xml.ts';
import { visible, writeOut } from './output.ts';
import type { ReporterName } from './settings.ts';

export interface Totals {
  readonly files: number;
  readonly cases: number;
  readonly failed: number;
  /** Lines that are no cases. */
  readonly bad: number;
  readonly updated: number;
  /** Cases that expect nothing. */
  readonly unexpecting: number;
  readonly seed: number;
}

export interface CheckReporter {
  file(file: string): Promise<void>;
  checked(one: CheckedCase): Promise<void>;
  bad(message: string): Promise<void>;
  end(totals: Totals): Promise<void>;
}

export const checkReporters: Readonly<Record<ReporterName, () => CheckReporter>> = {
  text: textReporter,
  json: jsonReporter,
  junit: junitReporter,
};

function textReporter(): CheckReporter {
  const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported);
  return {
    file: async () => {},
    async checked(one) {
      if (!passed(one)) await writeOut(`${colors.red('✗')} ${visible(describeFailure(one))}\n\n`);
    },
    bad: message => writeOut(`${colors.red('✗')} ${visible(message)}\n\n`),
    async end({ files, cases, failed, bad, updated, unexpecting, seed }) {
      const parts = [
        `${cases - failed} of ${counted(cases, 'case')} in ${counted(files, 'file')} right`,
        ...(bad > 0 ? [`${counted(bad, 'line')} that cannot be read`] : []),
        ...(updated > 0 ? [`${updated} updated`] : []),
        ...(failed > 0 ? [`seed ${seed}`] : []),
      ];
      const unwritten =
        unexpecting > 0
          ? `${counted(unexpecting, 'case')} without "expected": only the splits were compared; --update writes it.\n`
          : '';
      await writeOut(
        `${unwritten}${failed + bad > 0 ? colors.red('✗') : colors.green('✓')} ${parts.join(', ')}\n`,
      );
    },
  };
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function jsonReporter(): CheckReporter {
  const write = (event: object) => writeOut(`${jsonLine(event)}\n`);
  return {
    file: async () => {},
    checked(one) {
      const { file, line, id, format, differences, disagreement } = one;
      const split = disagreement ? { disagreement } : {};
      return write({ type: 'case', file, line, id, format, passed: passed(one), differences, ...split });
    },
    bad: message => write({ type: 'bad-line', message }),
    end: totals => write({ type: 'summary', ...totals }),
  };
}

function junitReporter(): CheckReporter {
  let name = '';
  let cases: string[] = [];
  let failures = 0;
  let errors = 0;

  async function suite(): Promise<void> {
    if (cases.length === 0) return;
    const counts = `tests="${cases.length}" failures="${failures}" errors="${errors}"`;
    await writeOut(`<testsuite name="${xml(name)}" ${counts}>\n${cases.join('')}</testsuite>\n`);
    cases = [];
    failures = 0;
    errors = 0;
  }

  let started = false;
  return {
    async file(file) {
      if (!started) await writeOut('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n');
      started = true;
      await suite();
      name = file;
    },
    async checked(one) {
      const attributes = `classname="${xml(one.format)}" name="${xml(one.id)}" file="${xml(one.file)}" line="${one.line}"`;
      if (passed(one)) return void cases.push(`<testcase ${attributes}/>\n`);
      failures++;
      const message = one.disagreement
        ? 'the splits disagree'
        : one.differences.map(({ where }) => where).join(', ');
      const failure = `<failure message="${xml(message)}">${xml(describeFailure(one))}</failure>`;
      cases.push(`<testcase ${attributes}>${failure}</testcase>\n`);
    },
    async bad(message) {
      errors++;
      cases.push(`<testcase name="${xml(message)}"><error message="${xml(message)}"/></testcase>\n`);
    },
    async end() {
      await suite();
      await writeOut('</testsuites>\n');
    },
  };
}
