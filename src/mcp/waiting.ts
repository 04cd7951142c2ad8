/** Ways to wait for work that somebody else may have begun. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The work goes on, but an abort does not wait for it. */
export async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  let stop = () => {};
  const aborted = new Promise<void>(resolve => {
    stop = resolve;
    signal?.addEventListener('abort', stop);
  });
  await Promise.race([work, aborted]);
  signal?.removeEventListener('abort', stop);
}

/** Whether the work is done in that time. It goes on if not. */
export async function settledWithin(work: Promise<void>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    timer.abort();
  }
}

/** Milliseconds in which notices of changes are taken for one: they come in storms. */
const pause = 200;

/** Runs at once, and again at most each pause, however often it is asked for meanwhile. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      // A list that cannot be had leaves the old one; if the server died, its end says so.
      await work().catch(() => {});
      await sleep(pause, undefined, { ref: false });
    }
    running = false;
  };
}
