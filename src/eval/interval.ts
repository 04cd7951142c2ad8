/** How sure a rate is that was counted in a few trials. */

/** From 0 to 1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The two-sided 97.5 % point of the normal distribution. */
const z = 1.959963984540054;

/** Wilson's score interval of 95 %: unlike the usual one it holds for few trials too, and for none or all of them right. */
export function wilson(right: number, trials: number): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const rate = right / trials;
  const spread = z * Math.sqrt((rate * (1 - rate) + z ** 2 / (4 * trials)) / trials);
  const middle = rate + z ** 2 / (2 * trials);
  const scale = 1 + z ** 2 / trials;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}
