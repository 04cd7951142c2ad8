/** Sampling options in node-llama-cpp's terms. */
import type { LlamaContextSequenceRepeatPenalty, Token } from 'node-llama-cpp';
import type { Sampling } from '../engine.ts';

/** How far back a repeat penalty looks, as in llama.cpp. */
const penaltyWindow = 64;

interface NativeSampling {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly seed: number;
  readonly repeatPenalty?: LlamaContextSequenceRepeatPenalty;
}

/**
 * Without a seed the library would take one from the clock, so it always gets one: the same prompt gives the same
 * completion until the caller asks for another seed.
 */
export function nativeSampling(sampling: Sampling, lastTokens: (count: number) => number[]): NativeSampling {
  const { temperature = 0, topK = 40, topP = 0.95, minP = 0, seed = 0, repeatPenalty = 1 } = sampling;
  return {
    temperature,
    topK,
    topP,
    minP,
    seed,
    ...(repeatPenalty === 1
      ? {}
      : {
          repeatPenalty: {
            penalty: repeatPenalty,
            maxPunishTokens: penaltyWindow,
            punishTokens: () => lastTokens(penaltyWindow) as Token[],
          },
        }),
  };
}
