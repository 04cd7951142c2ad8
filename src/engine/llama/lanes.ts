/**
 * Prompts of one lane continue each other, so each lane has a KV cache to itself: a sequence of a context.
 *
 * Where one generation runs at a time, each lane is a context of its own. A second one takes its whole memory at once (SmolLM2
 * 135M, 8192 tokens: 180 MB), so it is opened when a lane first asks for it. Where several run side by side, the lanes are the
 * sequences of one context, so that what they evaluate can be one batch.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EvaluationPriority, LlamaContext, LlamaContextSequence } from 'node-llama-cpp';
import { type Cache, openCache } from './cache.ts';
import { closestLane } from './closest-lane.ts';
import { type Member, openRounds } from './rounds.ts';

export interface Lane {
  readonly sequence: LlamaContextSequence;
  readonly cache: Cache;
  /** Its place in batches. */
  readonly priority: EvaluationPriority;
  /** Whoever has taken the lane evaluates in it by this. */
  readonly member: Member;
}

export interface Lanes {
  /**
   * The lane of that name; or, where several run side by side and those of one name would have to wait for each other, the one
   * whose cache is best for the prompt. What another lane holds of the prompt is copied to it, where that is worth the
   * copying. There must be a lane that nobody has taken.
   */
  take(name: string, ids: readonly number[]): Promise<Lane>;
  giveBack(lane: Lane): void;
  close(): Promise<void>;
}

export interface LanesOptions {
  /** All its sequences become lanes. */
  readonly context: LlamaContext;
  /** Opens a context for a further lane. Where that fails there are no more lanes than there are. */
  readonly open: () => Promise<LlamaContext>;
  /** How many lanes there may be. */
  readonly most: number;
}

interface Named extends Lane {
  name?: string;
}

/** In tokens. Below, the file costs as much as the evaluation that it saves. */
const leastCopied = 64;
/** A whole cache is copied, and then cut. Copying a token takes a small part of the time of evaluating it. */
const mostCopiedPerToken = 8;

export function openLanes({ context, open, ...options }: LanesOptions): Lanes {
  let { most } = options;
  const sideBySide = context.totalSequences > 1;
  const rounds = openRounds();
  const contexts: LlamaContext[] = [];
  const unused: Named[] = [];
  /** The least recently used first. */
  const free: Named[] = [];
  const taken = new Set<Named>();
  addLanes(context);

  function addLanes(opened: LlamaContext): void {
    contexts.push(opened);
    for (let place = 0; opened.sequencesLeft > 0; place++) {
      const sequence = opened.getSequence();
      // llama.cpp evaluates sequences together only as they follow each other, and the library sorts by this. It may be any number.
      const priority = -place as EvaluationPriority;
      unused.push({ sequence, priority, cache: openCache(sequence, priority), member: rounds.member() });
    }
  }

  async function laneByName(name: string): Promise<Named> {
    const own = free.find(lane => lane.name === name);
    if (own) return own;
    if (unused.length === 0 && contexts.length < most) {
      try {
        addLanes(await open());
      } catch {
        most = contexts.length;
      }
    }
    return unused.shift() ?? free[0]!;
  }

  function laneByPrompt(ids: readonly number[]): Named {
    const closest = closestLane(free, ids);
    return (closest?.goesOn ? undefined : unused.shift()) ?? closest!.lane;
  }

  function claim(lane: Named, name: string): Lane {
    lane.name = name;
    if (free.includes(lane)) free.splice(free.indexOf(lane), 1);
    taken.add(lane);
    lane.member.join();
    return lane;
  }

  async function share({ cache, sequence }: Lane, ids: readonly number[]): Promise<void> {
    // A state that can't be rolled back is of no use but to the very prompt that it is of.
    if (sequence.needsCheckpoints) return;
    const own = cache.common(ids);
    const gains = [...free, ...taken].map(other => ({
      from: other.cache,
      gain: other.cache.common(ids) - own,
    }));
    const [best] = gains.sort((left, right) => right.gain - left.gain);
    if (!best || best.gain < leastCopied || best.from.length > best.gain * mostCopiedPerToken) return;
    if (best.from.canSave(best.from.length)) await rounds.between(() => copy(best.from, cache));
  }

  return {
    async take(name, ids) {
      // Nothing is awaited between a choice and its claim: another may choose at the same time.
      const lane = claim(sideBySide ? laneByPrompt(ids) : await laneByName(name), name);
      await share(lane, ids);
      return lane;
    },
    giveBack(lane) {
      lane.member.leave();
      taken.delete(lane);
      free.push(lane);
    },
    async close() {
      await Promise.all(contexts.map(each => each.dispose()));
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
