/** An engine that replays completions: for tests, and for showing a recording again without its model. */
import { RawcallError } from '../../parsers/error.ts';
import type { Piece, StopReason } from '../../parsers/parser.ts';
import type { Prompt } from '../../templates/template.ts';
import type { Engine, GenerateOptions, Generation } from './engine.ts';

/** A completion as it was: its pieces, or its flat text, and how it ended. */
export type RecordedCompletion =
  | string
  | readonly Piece[]
  | { readonly pieces: readonly Piece[]; readonly reason: StopReason };

export interface RecordedOptions {
  readonly name?: string;
  readonly contextSize?: number;
  readonly controlTokens?: Iterable<string>;
}

export interface RecordedEngine extends Engine {
  /** The prompts that it was given so far. */
  readonly prompts: readonly Prompt[];
}

/**
 * The completions are given out in order, one for each generate. Usage: `generated` counts pieces, as each was one
 * token or more; the prompt's counts stay 0, because nothing was evaluated. What is recorded can't be steered, and all
 * lanes are one.
 */
export function recordedEngine(
  completions: Iterable<RecordedCompletion>,
  { name = 'recorded', contextSize, controlTokens }: RecordedOptions = {},
): RecordedEngine {
  const left = [...completions];
  const prompts: Prompt[] = [];
  return {
    name,
    ...(contextSize === undefined ? {} : { contextSize }),
    ...(controlTokens === undefined ? {} : { controlTokens: new Set(controlTokens) }),
    prompts,
    generate(prompt, options = {}) {
      prompts.push(prompt);
      const completion = left.shift();
      if (completion !== undefined) return replay(completion, options);
      throw new RawcallError(
        'recording_ended',
        `The recording holds ${prompts.length - 1} completions, and one more was asked for. Record the run again.`,
        { completions: prompts.length - 1 },
      );
    },
    close: async () => {},
  };
}

function replay(completion: RecordedCompletion, { signal, maxTokens }: GenerateOptions): Generation {
  const { pieces, reason: recorded } = normal(completion);
  let generated = 0;
  let reason: StopReason | undefined;

  async function* run(): AsyncGenerator<Piece, void> {
    let ended: StopReason = 'aborted';
    try {
      for (const piece of pieces) {
        if (signal?.aborted) return;
        if (maxTokens !== undefined && generated >= maxTokens) {
          ended = 'length';
          return;
        }
        generated++;
        yield piece;
      }
      if (!signal?.aborted) ended = recorded;
    } finally {
      reason = ended;
    }
  }

  return {
    [Symbol.asyncIterator]: run,
    get usage() {
      return { prompt: 0, reused: 0, evaluated: 0, generated };
    },
    get reason() {
      return reason;
    },
  };
}

function normal(completion: RecordedCompletion): { pieces: readonly Piece[]; reason: StopReason } {
  if (typeof completion === 'string') return { pieces: [{ text: completion }], reason: 'stop' };
  return 'pieces' in completion ? completion : { pieces: completion, reason: 'stop' };
}
