/** What two prompts have in common, token by token, and where they differ. */

export interface Diffed {
  /** What tells it from others: its id, or its text. */
  readonly key: number | string;
  /** It is the last one of its line. */
  readonly endsLine: boolean;
}

export type Change =
  | { readonly kind: 'same'; readonly before: number; readonly after: number; readonly count: number }
  /** `at`: in the list that it is of. */
  | { readonly kind: 'removed' | 'added'; readonly at: number; readonly count: number };

/** So many single changes are looked for; what differs more than that is told as replaced whole. */
const mostChanges = 1500;

/** Common tokens fewer than these between two changes are chance. */
const leastInCommon = 3;

/**
 * Lines first, and then the tokens of those that differ: people think in lines, and prompts of a hundred thousand tokens have few
 * that differ.
 */
export function diff(before: readonly Diffed[], after: readonly Diffed[]): Change[] {
  const [lines, others] = [linesOf(before), linesOf(after)];
  const sameLines = common(
    lines.map(line => line.key),
    others.map(line => line.key),
  );
  const sameTokens: Run[] = [];
  let [left, right] = [0, 0];
  for (const run of [...sameLines, { before: lines.length, after: others.length, count: 0 }]) {
    const [start, other] = [startOf(lines, run.before, before), startOf(others, run.after, after)];
    const within = common(keys(before.slice(left, start)), keys(after.slice(right, other)));
    for (const part of meant(within, start - left, other - right))
      sameTokens.push({ before: left + part.before, after: right + part.after, count: part.count });
    left = startOf(lines, run.before + run.count, before);
    right = startOf(others, run.after + run.count, after);
    sameTokens.push({ before: start, after: other, count: left - start });
  }
  return changes(sameTokens, before.length, after.length);
}

interface Line {
  readonly key: string;
  readonly start: number;
}

function linesOf(tokens: readonly Diffed[]): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (let at = 0; at < tokens.length; at++) {
    if (!tokens[at]!.endsLine && at < tokens.length - 1) continue;
    lines.push({ key: keys(tokens.slice(start, at + 1)).join('\0'), start });
    start = at + 1;
  }
  return lines;
}

function startOf(lines: readonly Line[], line: number, tokens: readonly Diffed[]): number {
  return lines[line]?.start ?? tokens.length;
}

const keys = (tokens: readonly Diffed[]) => tokens.map(token => token.key);

interface Run {
  readonly before: number;
  readonly after: number;
  readonly count: number;
}

/** Without what is the same by chance: too short, and within what differs. */
function meant(runs: readonly Run[], before: number, after: number): readonly Run[] {
  return runs.filter(
    run =>
      run.count >= leastInCommon ||
      (run.before === 0 && run.after === 0) ||
      (run.before + run.count === before && run.after + run.count === after),
  );
}

function changes(runs: readonly Run[], before: number, after: number): Change[] {
  const found: Change[] = [];
  let [left, right] = [0, 0];
  for (const run of [...runs, { before, after, count: 0 }]) {
    if (run.before > left) found.push({ kind: 'removed', at: left, count: run.before - left });
    if (run.after > right) found.push({ kind: 'added', at: right, count: run.after - right });
    const last = found.at(-1);
    if (last?.kind === 'same') found[found.length - 1] = { ...last, count: last.count + run.count };
    else if (run.count > 0) found.push({ kind: 'same', ...run });
    left = run.before + run.count;
    right = run.after + run.count;
  }
  return found;
}

/** Myers' way: of all paths with so many changes, the one that comes furthest on each diagonal, until one comes to the end. */
function common<Key>(before: readonly Key[], after: readonly Key[]): Run[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [end, otherEnd] = [before.length, after.length];
  while (end > start && otherEnd > start && before[end - 1] === after[otherEnd - 1])
    [end, otherEnd] = [end - 1, otherEnd - 1];
  return [
    { before: 0, after: 0, count: start },
    ...inner(before.slice(start, end), after.slice(start, otherEnd)).map(run => ({
      ...run,
      before: run.before + start,
      after: run.after + start,
    })),
    { before: end, after: otherEnd, count: before.length - end },
  ].filter(run => run.count > 0);
}

function inner<Key>(before: readonly Key[], after: readonly Key[]): Run[] {
  if (before.length === 0 || after.length === 0) return [];
  const most = Math.min(before.length + after.length, mostChanges);
  /** How far each diagonal came, for each number of changes; diagonal k is at k + changes. */
  const reached: Int32Array[] = [];
  for (let count = 0; count <= most; count++) {
    const furthest = new Int32Array(2 * count + 1);
    reached.push(furthest);
    for (let k = -count; k <= count; k += 2) {
      let x = startX(reached, count, k);
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      furthest[k + count] = x;
      if (x >= before.length && x - k >= after.length) return walkedBack(reached, k);
    }
  }
  return [];
}

/** Where a diagonal is entered with one change more: from below by a token that was added, or from the left by one that was removed. */
function startX(reached: readonly Int32Array[], count: number, k: number): number {
  if (count === 0) return 0;
  const last = reached[count - 1]!;
  const from = (diagonal: number) => (Math.abs(diagonal) < count ? last[diagonal + count - 1]! : -1);
  return Math.max(from(k + 1), from(k - 1) + 1);
}

function walkedBack(reached: readonly Int32Array[], lastDiagonal: number): Run[] {
  const runs: Run[] = [];
  let k = lastDiagonal;
  for (let count = reached.length - 1; count >= 0; count--) {
    const end = reached[count]![k + count]!;
    const start = startX(reached, count, k);
    if (end > start) runs.unshift({ before: start, after: start - k, count: end - start });
    if (count === 0) break;
    const last = reached[count - 1]!;
    const added = k + 1 < count ? last[k + count]! : -1;
    k = added === start ? k + 1 : k - 1;
  }
  return runs;
}
