/** Our sampling in the fields of OpenAI's API, and in those that local servers have besides. */
import type { Sampling } from '../engine.ts';
import type { JsonRecord } from './client.ts';
import type { ServerKind } from './endpoint-info.ts';

/** What is not asked for is not sent: a server that is strict refuses what it does not know. */
export function samplingFields(kind: ServerKind, sampling: Sampling = {}): JsonRecord {
  const { temperature = 0, topK, topP, minP, repeatPenalty, seed } = sampling;
  const penalty = kind === 'llama-server' ? 'repeat_penalty' : 'repetition_penalty';
  return {
    temperature,
    ...(topK === undefined ? {} : { top_k: topK }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(minP === undefined ? {} : { min_p: minP }),
    ...(repeatPenalty === undefined ? {} : { [penalty]: repeatPenalty }),
    ...(seed === undefined ? {} : { seed }),
  };
}
