/** The shortest of several runs, in ms: what else the machine does only ever adds. */
export function best(run: () => unknown, repeats: number): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const start = performance.now();
    run();
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}
