/** Two ways to wait for work that somebody else may have begun. */

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

/** Runs once more after the run that was going on, however often it is asked for meanwhile: change notices come in storms. */
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
    }
    running = false;
  };
}
