/** One completion: the cache adapted to the prompt, the rest evaluated, then token after token until something ends it. */
import type { TokenBias } from 'node-llama-cpp';
import { RawcallError } from '../../../parsers/error.ts';
import type { StopReason } from '../../../parsers/parser.ts';
import type { Prompt } from '../../../templates/template.ts';
import type { GeneratedPiece, GenerateOptions, Generation } from '../engine.ts';
import { complete } from './complete.ts';
import { openConstraint } from './constraint.ts';
import type { Few } from './few.ts';
import type { Compile } from './grammar.ts';
import type { Lane, Lanes } from './lanes.ts';
import { prefill } from './prefill.ts';
import type { Queue } from './queue.ts';
import type { States } from './states.ts';
import type { Encode } from './tokenise.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Machine {
  readonly compile: Compile;
  readonly few: Few | undefined;
  /** For the sampler where no grammar holds. */
  readonly noBias: TokenBias;
  readonly vocabulary: Vocabulary;
  readonly encode: Encode;
  readonly lanes: Lanes;
  readonly states: States | undefined;
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

  async function* run(): AsyncGenerator<GeneratedPiece, void> {
    const leave = await machine.queue.enter(lane, signal);
    if (!leave) {
      reason = 'aborted';
      return;
    }
    let ended: StopReason = 'aborted';
    let own: Lane | undefined;
    try {
      const ids = machine.encode(prompt);
      checkLength(ids.length, machine.contextSize);
      const constraint = await openConstraint(machine, options.grammar);
      if (signal.aborted) return;
      own = await machine.lanes.take(lane, ids);
      const shared = { lane: own, signal, usage };
      const rest = await prefill(
        { ...machine, ...shared, prefix: options.prefix, toTheEnd: maxTokens === 0 },
        ids,
      );
      if (rest) ended = yield* complete({ ...shared, vocabulary, constraint, options }, rest);
    } catch (error) {
      // What is disposed of under a running evaluation makes it throw.
      if (!closing.aborted) throw error;
    } finally {
      own?.cache.resync();
      if (own) machine.lanes.giveBack(own);
      reason = ended;
      leave();
    }
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
