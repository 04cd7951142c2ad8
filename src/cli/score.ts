/** `rawcall check --score`: what each format makes of a folder of recordings. */
import pc from 'picocolors';
import type { CheckOptions } from '../check/check-file.ts';
import { createScoreboard, type FormatScore, type ScoredCase, scoreFile } from '../check/score.ts';
import { jsonLine } from '../json.ts';
import { type CheckFlags, nothingToCheck } from './check.ts';
import { exitCodes, usageError } from './exit.ts';
import { visible, writeOut } from './output.ts';
import { textTable } from './text-table.ts';

/** So many disagreements are named to people; `rawcall check` shows them all. */
const shownDisagreements = 20;

export async function score(
  files: readonly string[],
  options: CheckOptions,
  { reporter, filter }: CheckFlags,
): Promise<number> {
  if (reporter === 'junit') throw usageError('--score tells as text or as JSON (--reporter text, json).');
  const tell = reporter === 'json' ? asJson() : asText();
  const board = createScoreboard();
  let bad = 0;
  let differing = 0;
  for (const file of files)
    for await (const line of scoreFile(file, options)) {
      if (line.kind === 'bad') {
        bad++;
        await tell.bad(line.message);
      } else if (line.kind === 'checked') {
        board.add(line.one);
        if (!line.one.differs?.length) continue;
        differing++;
        await tell.differs(line.one, file, line.number);
      }
    }
  const { scores } = board;
  if (scores.length + bad === 0) throw nothingToCheck(files, filter);
  await tell.end(scores, differing);
  if (bad > 0) return exitCodes.usage;
  return differing > 0 ? exitCodes.error : exitCodes.answered;
}

interface Teller {
  bad(message: string): Promise<void>;
  differs(one: ScoredCase, file: string, line: number): Promise<void>;
  end(scores: readonly FormatScore[], differing: number): Promise<void>;
}

function perSecond({ characters, milliseconds }: FormatScore): number {
  return Math.round(characters / Math.max(milliseconds / 1000, 1e-6));
}

function asJson(): Teller {
  const write = (event: object) => writeOut(`${jsonLine(event)}\n`);
  return {
    bad: message => write({ type: 'bad-line', message }),
    differs: ({ id, format, differs }, file, line) =>
      write({ type: 'disagreement', file, line, id, format, where: differs }),
    async end(scores) {
      for (const one of scores) await write({ type: 'score', ...one, charactersPerSecond: perSecond(one) });
    },
  };
}

function asText(): Teller {
  const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported);
  let shown = 0;
  return {
    bad: message => writeOut(`${colors.red('✗')} ${visible(message)}\n`),
    async differs({ id, format, differs = [] }, file, line) {
      if (shown++ >= shownDisagreements) return;
      await writeOut(
        `${colors.red('✗')} ${visible(`${file}:${line}  ${id}  (${format}): ${differs.join(', ')}`)}\n`,
      );
    },
    async end(scores, differing) {
      if (differing > shownDisagreements)
        await writeOut(
          `${colors.red('✗')} and ${differing - shownDisagreements} more that are not as expected: "rawcall check" shows all\n`,
        );
      await writeOut(textTable(titles, scores.map(cells), [1, 2, 3, 4, 5, 7]));
      for (const { format, repairs, problems } of scores) {
        await writeOut(namesLine(`${format}, repaired`, repairs));
        await writeOut(namesLine(`${format}, refused`, problems));
      }
    },
  };
}

const titles = [
  'format',
  'completions',
  'read',
  'repaired',
  'refused',
  'calls',
  'as expected',
  'characters/s',
];

function cells(one: FormatScore): string[] {
  const { format, cases, read, repaired, refused, calls, expecting, differing } = one;
  const numbers = [cases, read, repaired, refused, calls].map(String);
  const expected = expecting === 0 ? '–' : `${expecting - differing} of ${expecting}`;
  return [visible(format), ...numbers, expected, perSecond(one).toLocaleString('en')];
}

/** The most frequent first. */
function namesLine(what: string, counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts).sort(([, one], [, other]) => other - one);
  if (sorted.length === 0) return '';
  return visible(`${what}: ${sorted.map(([name, count]) => `${name} ${count}`).join(', ')}\n`);
}
