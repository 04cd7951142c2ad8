/** The cache adapted to a prompt, and what it lacks evaluated. */
import type { Prompt } from '../../../templates/template.ts';
import type { Lane } from './lanes.ts';
import type { States } from './states.ts';
import type { Encode } from './tokenise.ts';

export interface Prefilling {
  readonly encode: Encode;
  readonly lane: Lane;
  readonly states: States | undefined;
  readonly batchSize: number;
  /** What the prompt begins with at every start. */
  readonly prefix: (() => Prompt) | undefined;
  /** Evaluates all but the last token, from which nothing is to be sampled. */
  readonly toTheEnd: boolean;
  readonly signal: AbortSignal;
  readonly usage: { prompt: number; reused: number; evaluated: number };
}

/** In tokens. A state of fewer costs as much time as it saves. */
const leastSaved = 64;
/** In tokens. Others wait for the next one of theirs while a slice of a prompt is evaluated. */
const sliceBesideOthers = 64;

/** Evaluates all but the last slice, from which the first token is sampled. Gives `undefined` when it was aborted. */
export async function prefill(
  { encode, lane, states, batchSize, prefix, toTheEnd, signal, usage }: Prefilling,
  ids: readonly number[],
): Promise<readonly number[] | undefined> {
  const { cache, sequence, member } = lane;
  // The logits of the last token are needed, so it is evaluated again even where the cache holds all.
  const reusable = ids.slice(0, -1);
  const fixed = states && prefix ? reusable.slice(0, common(reusable, encode(prefix()))) : [];
  const worthwhile = cache.canSave(fixed.length) && fixed.length - cache.common(fixed) >= leastSaved;
  if (worthwhile) await states?.load(fixed, cache);
  if (signal.aborted) return undefined;

  const kept = await cache.keepPrefix(reusable);
  usage.prompt = ids.length;
  usage.reused = kept.length - kept.evaluated;
  usage.evaluated = kept.evaluated;
  let start = kept.length;
  const sliceSize = () => (member.alone ? batchSize : Math.min(batchSize, sliceBesideOthers));
  async function evaluateTo(end: number): Promise<boolean> {
    while (start < end) {
      if (signal.aborted) return false;
      const slice = ids.slice(start, Math.min(start + sliceSize(), end));
      await member.step(() => cache.append(slice));
      usage.evaluated += slice.length;
      start += slice.length;
    }
    return !signal.aborted;
  }

  if (worthwhile && start < fixed.length) {
    if (!(await evaluateTo(fixed.length))) return undefined;
    await cache.checkpoint();
    await states?.save(fixed, cache);
  }
  // Where the state can't be rolled back, the point to return to is just before the last token.
  const lastSlice = () => (sequence.needsCheckpoints || toTheEnd ? 1 : sliceSize());
  while (ids.length - start > lastSlice()) {
    if (!(await evaluateTo(Math.min(start + sliceSize(), reusable.length)))) return undefined;
  }
  await cache.checkpoint();
  return signal.aborted ? undefined : ids.slice(start);
}

function common(left: readonly number[], right: readonly number[]): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}
