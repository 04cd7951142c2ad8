/**
 * Prompts of one lane continue each other, so each lane has a KV cache to itself. A second one takes its whole memory at
 * once (SmolLM2 135M, 8192 tokens: 180 MB), so it is opened when a lane first asks for it; the lane that was used
 * least recently gives its own up when there may be no more.
 *
 * Each lane has a context of its own, not a sequence of one context. llama.cpp loads a state only into a context with as
 * many sequences as that it came from, so that their number could never change; and sequences would gain nothing: the library
 * evaluates two of them in one batch only where their steps meet, which it doesn't see to (8 of 1600), and such a
 * batch saved 3 to 18 % of the work on a CPU, while what a kernel for two rows computes need not be what one for a single row does.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LlamaContext, LlamaContextSequence } from 'node-llama-cpp';
import { type Cache, openCache } from './cache.ts';

export interface Lane {
  readonly sequence: LlamaContextSequence;
  readonly cache: Cache;
}

export interface Lanes {
  /** The lane of that name. What another lane holds of the prompt is copied to it, where that is worth the copying. */
  take(name: string, ids: readonly number[]): Promise<Lane>;
  close(): Promise<void>;
}

export interface LanesOptions {
  /** The first lane's. */
  readonly context: LlamaContext;
  /** Opens one for a further lane. Where that fails there are no more lanes than there are. */
  readonly open: () => Promise<LlamaContext>;
  /** How many there may be. */
  readonly most: number;
}

/** In tokens. Below, the file costs as much as the evaluation that it saves. */
const leastCopied = 64;
/** A whole cache is copied, and then cut. Copying a token takes a small part of the time of evaluating it. */
const mostCopiedPerToken = 8;

export function openLanes(options: LanesOptions): Lanes {
  let { most } = options;
  const contexts: LlamaContext[] = [];
  /** The least recently used first. */
  const lanes: { name: string; lane: Lane }[] = [];
  const unused = [addLane(options.context)];

  function addLane(context: LlamaContext): Lane {
    contexts.push(context);
    const sequence = context.getSequence();
    return { sequence, cache: openCache(sequence) };
  }

  async function laneFor(name: string): Promise<Lane> {
    const own = lanes.findIndex(each => each.name === name);
    if (own >= 0) return lanes.splice(own, 1)[0]!.lane;
    if (unused.length === 0 && contexts.length < most) {
      try {
        unused.push(addLane(await options.open()));
      } catch {
        most = contexts.length;
      }
    }
    return unused.pop() ?? lanes.shift()!.lane;
  }

  async function share({ cache, sequence }: Lane, ids: readonly number[]): Promise<void> {
    // A state that can't be rolled back is of no use but to the very prompt that it is of.
    if (sequence.needsCheckpoints) return;
    const own = cache.common(ids);
    const gains = lanes.map(({ lane }) => ({ from: lane.cache, gain: lane.cache.common(ids) - own }));
    const [best] = gains.sort((left, right) => right.gain - left.gain);
    if (!best || best.gain < leastCopied || best.from.length > best.gain * mostCopiedPerToken) return;
    if (best.from.canSave(best.from.length)) await copy(best.from, cache);
  }

  return {
    async take(name, ids) {
      const lane = await laneFor(name);
      await share(lane, ids);
      lanes.push({ name, lane });
      return lane;
    },
    async close() {
      await Promise.all(contexts.map(context => context.dispose()));
    },
  };
}

/** By a file, the only way that the library has. Where none can be written all is evaluated, as if there were nothing to copy. */
async function copy(from: Cache, to: Cache): Promise<void> {
  try {
    const folder = await mkdtemp(path.join(tmpdir(), 'rawcall-'));
    try {
      const file = path.join(folder, 'state');
      await from.save(file);
      await to.load(file);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch {
    to.resync();
  }
}
