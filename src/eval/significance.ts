/** How likely differences between pairs are where nothing differs. All tests are two-sided and exact. */

/**
 * The sign-flip test: where nothing differs, each pair could as well have come out the other way round, so that each of the
 * 2^n ways to set the signs is as likely as any other. Gives the share of them whose sum is as far from 0 as the one that was seen.
 *
 * Of differences that are all -1, 0 or 1 this is McNemar's exact test.
 *
 * @param differences whole numbers, one a pair
 */
export function signFlipTest(differences: readonly number[]): number {
  const sizes = differences.map(Math.abs).filter(size => size > 0);
  const seen = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  const reach = sizes.reduce((sum, size) => sum + size, 0);
  // How likely each sum is of the pairs so far, from -reach to reach.
  let likely = new Float64Array(2 * reach + 1);
  likely[reach] = 1;
  let sofar = 0;
  for (const size of sizes) {
    const next = new Float64Array(2 * reach + 1);
    for (let at = reach - sofar; at <= reach + sofar; at++) {
      const half = (likely[at] ?? 0) / 2;
      if (half === 0) continue;
      next[at - size] = (next[at - size] ?? 0) + half;
      next[at + size] = (next[at + size] ?? 0) + half;
    }
    likely = next;
    sofar += size;
  }
  let share = 0;
  for (let at = 0; at < likely.length; at++) if (Math.abs(at - reach) >= seen) share += likely[at] ?? 0;
  return Math.min(1, share);
}

/** The sign test: whether one of the two is larger more often than the other. By how much does not count, so no outlier does. */
export function signTest(differences: readonly number[]): number {
  return signFlipTest(differences.map(Math.sign));
}

/** Holm's correction: each likelihood as it is where so many tests were made. In the order given. */
export function holm(likelihoods: readonly number[]): readonly number[] {
  const order = likelihoods.map((likelihood, at) => ({ likelihood, at }));
  order.sort((one, other) => one.likelihood - other.likelihood);
  const adjusted: number[] = [];
  let least = 0;
  for (const [rank, { likelihood, at }] of order.entries()) {
    least = Math.max(least, Math.min(1, likelihood * (likelihoods.length - rank)));
    adjusted[at] = least;
  }
  return adjusted;
}

/** Of an even number of values the middle of the two in the middle; undefined of none. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
