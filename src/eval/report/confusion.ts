/** Which tool was called where which one was expected. */
import type { Sample } from '../results.ts';

/** In the place of a tool's name: none was called, none was needed, or any would have done. */
export const noTool = '';

export interface Confusion {
  /** Expected, in rows. */
  readonly expected: string;
  /** Called, in columns. */
  readonly called: string;
  readonly count: number;
}

/**
 * Each expected tool that was called stands for itself. What is left of the expected ones is put beside what is left of the
 * called ones, in their order; an expected one without a partner was not called, a called one without one was not needed.
 * A tool counts once a sample, however often it was called. Samples where any tool would do are left out.
 */
export function confusionOf(samples: readonly Sample[]): readonly Confusion[] {
  const counts = new Map<string, Confusion>();
  const add = (expected: string, called: string) => {
    const key = JSON.stringify([expected, called]);
    counts.set(key, { expected, called, count: (counts.get(key)?.count ?? 0) + 1 });
  };
  for (const { expected, calls, error } of samples) {
    if (error || (expected.call && expected.calls.length === 0)) continue;
    const wanted = new Set(expected.calls.map(({ tool }) => tool));
    const called = new Set(calls.map(({ tool }) => tool || '(no name)'));
    for (const tool of wanted) if (called.has(tool)) add(tool, tool);
    const missed = [...wanted].filter(tool => !called.has(tool));
    const stray = [...called].filter(tool => !wanted.has(tool));
    if (wanted.size === 0 && called.size === 0) add(noTool, noTool);
    for (let at = 0; at < Math.max(missed.length, stray.length); at++)
      add(missed[at] ?? noTool, stray[at] ?? noTool);
  }
  return [...counts.values()].sort(
    (one, other) => compare(one.expected, other.expected) || compare(one.called, other.called),
  );
}

/** By name; no tool comes last. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  if (one === noTool || other === noTool) return one === noTool ? 1 : -1;
  return one < other ? -1 : 1;
}

/** All names that come up, in order. */
export function confusedNames(confusion: readonly Confusion[]): readonly string[] {
  const names = confusion.flatMap(({ expected, called }) => [expected, called]);
  return [...new Set(names)].sort(compare);
}
