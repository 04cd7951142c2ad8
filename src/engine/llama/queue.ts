/** One at a time, in the order of asking. */

export interface Queue {
  /** Waits for its turn; gives `undefined`, and its turn away, when the signal aborts first. */
  enter(signal?: AbortSignal): Promise<(() => void) | undefined>;
}

export function openQueue(): Queue {
  let last: Promise<void> = Promise.resolve();
  return {
    async enter(signal) {
      let leave!: () => void;
      const left = new Promise<void>(resolve => {
        leave = resolve;
      });
      const before = last;
      last = before.then(() => left);
      await untilAborted(before, signal);
      if (!signal?.aborted) return leave;
      leave();
      return undefined;
    },
  };
}

function untilAborted(wait: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return wait;
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => {
    const done = () => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
    void wait.then(done);
  });
}
