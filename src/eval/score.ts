/** What a run's calls and answer are worth, beside what its task expects. docs/eval.md has the definitions. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import { callKey } from '../agent/results.ts';
import type { Matching } from './matching.ts';
import type { CallMade, Expected, ExpectedCall, Scores } from './results.ts';
import type { ReadCall } from './task.ts';

/** A call as the model wrote it, before it is compared. */
export interface WrittenCall extends Omit<CallMade, 'matches' | 'repeated'> {
  /** Absent where it could not be read. */
  readonly read?: ReadCall & { readonly definition: ToolDefinition };
}

export interface Ended {
  readonly answer: string;
  /** The answer is the model's own words. */
  readonly ownWords: boolean;
}

export function score(
  expected: Expected,
  written: readonly WrittenCall[],
  { answer, ownWords }: Ended,
  matching: Matching,
): { readonly calls: readonly CallMade[]; readonly scores: Scores } {
  const matched = assign(expected.calls, written, matching);
  const calls = written.map(({ read: _, ...call }, at): CallMade => {
    const match = matched[at];
    return { ...call, ...(match === undefined ? {} : { matches: match }), repeated: isRepeated(written, at) };
  });
  const decisionRight = expected.call === written.length > 0;
  const any = expected.calls.length === 0;
  const tools = new Set(expected.calls.map(({ tool }) => tool));
  const called = new Set(calls.map(({ tool }) => tool));
  const toolsRight = any || calls.length === 0 ? undefined : isSameSet(tools, called);
  const all = expected.calls.every((_, at) => matched.includes(at));
  const argumentsSaid = expected.calls.some(call => call.arguments !== undefined);
  const stray = calls.filter(
    ({ problem, matches, repeated }) => !problem && matches === undefined && !repeated,
  );
  const needless = expected.call && any ? 0 : stray.length;
  const malformed = calls.filter(({ problem }) => problem !== undefined).length;
  const { answerHolds } = expected;
  return {
    calls,
    scores: {
      decisionRight,
      ...(toolsRight === undefined ? {} : { toolsRight }),
      ...(toolsRight && argumentsSaid ? { argumentsRight: all } : {}),
      right: decisionRight && all && needless === 0 && toolsRight !== false,
      ...(answerHolds.length === 0 ? {} : { answerHolds: ownWords && holdsAll(answerHolds, answer) }),
      empty: !ownWords,
      needless,
      repeated: calls.filter(({ repeated }) => repeated).length,
      malformed,
    },
  };
}

/** Of each call, which expected one it is: as many as can be, each one once. */
function assign(
  expected: readonly ExpectedCall[],
  written: readonly WrittenCall[],
  matching: Matching,
): readonly (number | undefined)[] {
  const possible = expected.map(one =>
    written.flatMap(({ tool, read }, at) =>
      read && tool === one.tool && matching(one, read, read.definition) ? [at] : [],
    ),
  );
  /** Call → expected call. */
  const taken = new Map<number, number>();
  function place(one: number, tried: Set<number>): boolean {
    for (const call of possible[one] ?? []) {
      if (tried.has(call)) continue;
      tried.add(call);
      const other = taken.get(call);
      if (other !== undefined && !place(other, tried)) continue;
      taken.set(call, one);
      return true;
    }
    return false;
  }
  for (const one of expected.keys()) place(one, new Set());
  return written.map((_, at) => taken.get(at));
}

function isRepeated(written: readonly WrittenCall[], at: number): boolean {
  const key = (call: WrittenCall | undefined) =>
    call?.read && callKey({ name: call.tool, arguments: call.read.arguments });
  const own = key(written[at]);
  return own !== undefined && written.slice(0, at).some(call => key(call) === own);
}

function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every(one => right.has(one));
}

export function holdsAll(facts: Expected['answerHolds'], answer: string): boolean {
  return facts.every(fact => (typeof fact === 'string' ? [fact] : fact).some(one => holds(one, answer)));
}

/**
 * Whether a text stands in an answer, as words of its own: 7 is not in 17, 7.5 or -7. The case of letters is left out of account, and
 * so are commas within a number and how blanks are written.
 */
function holds(fact: string, answer: string): boolean {
  const [wanted, text] = [plain(fact), plain(answer)];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + wanted.length)];
    const begins = !/^[\p{L}\p{N}]/u.test(wanted) || !/[\p{L}\p{N}]$|\d[.]$|(?:^|[\s(])-$/u.test(before);
    const ends = !/[\p{L}\p{N}]$/u.test(wanted) || !/^[\p{L}\p{N}]|^[.]\d/u.test(after);
    if (begins && ends) return true;
  }
  return false;
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\u2212/g, '-')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
