/** How long and how often a server is asked. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RawcallError } from '../../parsers/error.ts';
import type { Timeouts } from './web.ts';

export interface Patience {
  readonly timeouts: Timeouts;
  /** How often in a row it may fail without having brought anything. */
  readonly tries: number;
  /** Milliseconds before the next try, after so many that failed. */
  readonly pause: (failed: number) => number;
}

export const usualPatience: Patience = {
  timeouts: { answer: 30_000, idle: 60_000 },
  tries: 5,
  pause: failed => Math.min(1000 * 2 ** (failed - 1), 15_000),
};

/** A server that asks for more is told to the user instead. */
const longestWait = 60_000;

/** @throws what the last try threw */
export async function patiently<T>(
  patience: Patience,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  for (let failed = 1; ; failed++) {
    try {
      return await work();
    } catch (error) {
      // Who cannot be reached at all is not asked again: there may be another source, or no network.
      if (failed >= patience.tries || reasonOf(error) === 'unreachable') throw error;
      await pauseAfter(error, failed, patience, signal);
    }
  }
}

/** @throws the error itself, where it will not pass; the signal's reason */
export async function pauseAfter(
  error: unknown,
  failed: number,
  { pause }: Patience,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!RawcallError.isInstance(error) || error.code !== 'download_failed') throw error;
  if (error.details.reason === 'redirects') throw error;
  const asked = Number(error.details.retryAfter ?? 0) * 1000;
  if (asked > longestWait) throw error;
  await sleep(Math.max(pause(failed), asked), undefined, signal ? { signal } : {}).catch(cause => {
    throw signal?.aborted ? signal.reason : cause;
  });
}

function reasonOf(error: unknown): unknown {
  return RawcallError.isInstance(error) ? error.details.reason : undefined;
}
