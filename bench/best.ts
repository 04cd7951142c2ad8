/** The shortest of several runs, in ms: what else the machine does only ever adds. */
export function best(run: () => unknown, repeats: number): number {
  return bestInTurn([run], repeats)[0];
}

/** The same of runs that take turns, so that each finds the memory and the caches that the others left. */
export function bestInTurn<const Runs extends readonly (() => unknown)[]>(
  runs: Runs,
  repeats: number,
): { [At in keyof Runs]: number } {
  const shortest = runs.map(() => Number.POSITIVE_INFINITY);
  for (let repeat = 0; repeat < repeats; repeat++)
    for (const [at, run] of runs.entries()) {
      const start = performance.now();
      run();
      shortest[at] = Math.min(shortest[at]!, performance.now() - start);
    }
  return shortest as { [At in keyof Runs]: number };
}
