/** Which of several caches a prompt is best evaluated in, where nothing but the prompt says whose it is. */
import type { Lane } from './lanes.ts';

/** In tokens. No more may be common to prompts that have nothing to do with each other: what a template begins with. */
const meaningless = 16;

/**
 * The lane that holds the longest beginning of the prompt; of several that hold as much, the one that was used least recently.
 * `goesOn`: the prompt continues what the lane holds. Otherwise the lane loses what it holds besides, and an unused
 * one is better: what both have in common can be copied.
 *
 * @param lanes the least recently used first
 */
export function closestLane<Own extends Lane>(
  lanes: readonly Own[],
  ids: readonly number[],
): { readonly lane: Own; readonly goesOn: boolean } | undefined {
  const known = lanes.map(lane => {
    const common = lane.cache.common(ids);
    return { lane, common, lost: lane.cache.length - common };
  });
  const most = Math.max(...known.map(({ common }) => common));
  const equals = known.filter(({ common }) => common === most || most <= meaningless);
  const best = equals.find(({ common, lost }) => common > 0 && lost === 0) ?? equals[0];
  if (!best) return undefined;
  const { lane, common, lost } = best;
  const copied = !lane.sequence.needsCheckpoints && lane.cache.canSave(lane.cache.length);
  return { lane, goesOn: common > 0 && (copied ? lost === 0 : lost <= common) };
}
