/** Texts that servers ask our model for, told as events. */
import { RawcallError } from '../../parsers/error.ts';
import type { SamplingAnswer, SamplingRequest } from '../mcp/features.ts';
import type { Sampler } from './sampler.ts';

export type SamplingEvent =
  /** A server asks the model for a text. */
  | ({ readonly type: 'sampling-start' } & SamplingRequest)
  /** The text, or why there is none. */
  | ({ readonly type: 'sampling-end'; readonly server: string } & (
      | SamplingAnswer
      | { readonly reason: string }
    ));

/** Each request and what came of it, as events. The sampler is there when the model is. */
export function samplingReported(
  report: (event: SamplingEvent) => void,
  sampler: () => Sampler | undefined,
): Sampler {
  return async (request, signal) => {
    const { server } = request;
    report({ type: 'sampling-start', ...request });
    try {
      const sample = sampler();
      if (!sample) throw new RawcallError('sampling_refused', 'The model is not loaded yet.', { server });
      const answer = await sample(request, signal);
      report({ type: 'sampling-end', server, ...answer });
      return answer;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      report({ type: 'sampling-end', server, reason });
      throw error;
    }
  };
}
