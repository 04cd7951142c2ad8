/** A scoreboard of recordings: what each format reads of its own, what it mends or refuses, and how fast it does. */
import { createCollector } from '../../parsers/read.ts';
import type { CompletionCase } from './case.ts';
import { caseReading } from './check-case.ts';
import { type CheckOptions, caseParsers, eachCase, type Line } from './check-file.ts';
import { differences, problemNames, repairNames } from './compare.ts';

/** What one completion came to, read as it was recorded. */
export interface ScoredCase {
  readonly id: string;
  readonly format: string;
  readonly calls: number;
  /** Each name once. */
  readonly repairs: readonly string[];
  readonly problems: readonly string[];
  /** Where it differs from what is expected, such as `calls[0].arguments.a`; undefined where nothing is expected. */
  readonly differs: readonly string[] | undefined;
  readonly characters: number;
  readonly milliseconds: number;
}

export interface FormatScore {
  readonly format: string;
  readonly cases: number;
  readonly calls: number;
  /** Completions read as they are: without repair and without problem. */
  readonly read: number;
  /** Completions that needed a repair and have no problem. */
  readonly repaired: number;
  /** Completions with a problem. */
  readonly refused: number;
  /** In how many completions each name came up. */
  readonly repairs: Readonly<Record<string, number>>;
  readonly problems: Readonly<Record<string, number>>;
  /** Completions that expect something, and those that come to something else. */
  readonly expecting: number;
  readonly differing: number;
  readonly characters: number;
  readonly milliseconds: number;
}

export function scoreFile(
  file: string,
  options: Omit<CheckOptions, 'seed'>,
): AsyncGenerator<Line<ScoredCase>> {
  const parserFor = caseParsers(file);
  return eachCase(file, options, async (one, line) => {
    const reader = await parserFor(one, line);
    const read = caseReading(one, reader);
    const collector = createCollector();
    collector.add(read(one.completion));
    // The first reading has made what only the first one needs, such as the checks of the schemas.
    const start = performance.now();
    read(one.completion);
    const milliseconds = performance.now() - start;
    const { collected } = collector;
    return {
      id: one.id,
      format: reader.name,
      calls: collected.ended.length,
      repairs: repairNames(collected),
      problems: [...new Set(problemNames(collected))],
      differs: one.expected && differences(one.expected, collected).map(({ where }) => where),
      characters: charactersOf(one),
      milliseconds,
    };
  });
}

function charactersOf({ completion }: CompletionCase): number {
  return completion.reduce((sum, { text }) => sum + text.length, 0);
}

export interface Scoreboard {
  add(one: ScoredCase): void;
  /** By the name of the format. */
  readonly scores: readonly FormatScore[];
}

export function createScoreboard(): Scoreboard {
  const scores = new Map<string, FormatScore>();
  return {
    add(one) {
      scores.set(one.format, withCase(scores.get(one.format) ?? emptyScore(one.format), one));
    },
    get scores() {
      return [...scores.values()].sort((one, other) => (one.format < other.format ? -1 : 1));
    },
  };
}

function emptyScore(format: string): FormatScore {
  const counts = { cases: 0, calls: 0, read: 0, repaired: 0, refused: 0, expecting: 0, differing: 0 };
  return { format, ...counts, repairs: {}, problems: {}, characters: 0, milliseconds: 0 };
}

function withCase(score: FormatScore, one: ScoredCase): FormatScore {
  const refused = one.problems.length > 0;
  const repaired = !refused && one.repairs.length > 0;
  return {
    format: score.format,
    cases: score.cases + 1,
    calls: score.calls + one.calls,
    read: score.read + Number(!refused && !repaired),
    repaired: score.repaired + Number(repaired),
    refused: score.refused + Number(refused),
    repairs: counted(score.repairs, one.repairs),
    problems: counted(score.problems, one.problems),
    expecting: score.expecting + Number(one.differs !== undefined),
    differing: score.differing + Number((one.differs?.length ?? 0) > 0),
    characters: score.characters + one.characters,
    milliseconds: score.milliseconds + one.milliseconds,
  };
}

function counted(
  counts: Readonly<Record<string, number>>,
  names: readonly string[],
): Readonly<Record<string, number>> {
  if (names.length === 0) return counts;
  const more = names.map(name => [name, (counts[name] ?? 0) + 1] as const);
  return { ...counts, ...Object.fromEntries(more) };
}
