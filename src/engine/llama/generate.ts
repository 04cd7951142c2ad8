/** One completion: the cache adapted to the prompt, the rest evaluated, then token after token until something ends it. */
import type { TokenBias } from 'node-llama-cpp';
import { RawcallError } from '../../../parsers/error.ts';
import type { Piece, StopReason } from '../../../parsers/parser.ts';
import type { Prompt } from '../../../templates/template.ts';
import type { GenerateOptions, Generation } from '../engine.ts';
import { complete } from './complete.ts';
import { openConstraint } from './constraint.ts';
import type { Compile } from './grammar.ts';
import type { Lane, Lanes } from './lanes.ts';
import type { Queue } from './queue.ts';
import { promptIds } from './tokenise.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Machine {
  readonly compile: Compile;
  /** For the sampler where no grammar holds. */
  readonly noBias: TokenBias;
  readonly vocabulary: Vocabulary;
  readonly lanes: Lanes;
  readonly queue: Queue;
  readonly contextSize: number;
  readonly batchSize: number;
  /** Aborts every generation when the engine is closed. */
  readonly closing: AbortSignal;
}

export function generate(machine: Machine, prompt: Prompt, options: GenerateOptions): Generation {
  const usage = { prompt: 0, reused: 0, evaluated: 0, generated: 0, passes: 0 };
  let reason: StopReason | undefined;
  const { vocabulary, closing } = machine;
  const { lane = '', maxTokens } = options;
  const signal = options.signal ? AbortSignal.any([options.signal, closing]) : closing;

  async function* run(): AsyncGenerator<Piece, void> {
    const leave = await machine.queue.enter(lane, signal);
    if (!leave) {
      reason = 'aborted';
      return;
    }
    let ended: StopReason = 'aborted';
    let own: Lane | undefined;
    try {
      const ids = promptIds(prompt, vocabulary);
      checkLength(ids.length, machine.contextSize);
      const constraint = await openConstraint(machine, options.grammar);
      if (signal.aborted) return;
      own = await machine.lanes.take(lane, ids);
      const rest = await prefill(own, ids);
      if (rest) {
        ended = yield* complete({ vocabulary, lane: own, constraint, options, signal, usage }, rest);
      }
    } catch (error) {
      // What is disposed of under a running evaluation makes it throw.
      if (!closing.aborted) throw error;
    } finally {
      own?.cache.resync();
      reason = ended;
      leave();
    }
  }

  /** Evaluates all but the last slice, from which the first token is sampled. Gives `undefined` when it was aborted. */
  async function prefill(
    { cache, sequence }: Lane,
    ids: readonly number[],
  ): Promise<readonly number[] | undefined> {
    if (signal.aborted) return undefined;
    // The logits of the last token are needed, so it is evaluated again even where the cache holds all.
    const kept = await cache.keepPrefix(ids.slice(0, -1));
    usage.prompt = ids.length;
    usage.reused = kept.length - kept.evaluated;
    usage.evaluated = kept.evaluated;
    let start = kept.length;
    // Where the state can't be rolled back, the point to return to is just before the last token.
    const lastSlice = sequence.needsCheckpoints || maxTokens === 0 ? 1 : machine.batchSize;
    while (ids.length - start > lastSlice) {
      if (signal.aborted) return undefined;
      const slice = ids.slice(start, Math.min(start + machine.batchSize, ids.length - 1));
      await cache.append(slice);
      usage.evaluated += slice.length;
      start += slice.length;
    }
    await cache.checkpoint();
    return signal.aborted ? undefined : ids.slice(start);
  }

  return {
    [Symbol.asyncIterator]: run,
    get usage() {
      return { ...usage };
    },
    get reason() {
      return reason;
    },
  };
}

function checkLength(promptTokens: number, contextSize: number): void {
  // One cell must stay free, and at least one token is to be generated into the context that is left.
  if (promptTokens < contextSize) return;
  throw new RawcallError(
    'prompt_too_long',
    `The prompt has ${promptTokens} tokens, the context holds ${contextSize}. Open the model with a bigger contextSize, or shorten the history, the results or the tools.`,
    { promptTokens, contextSize },
  );
}
