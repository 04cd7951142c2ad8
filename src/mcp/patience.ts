/**
 * How long calls may take: so long without a sign of life, and so long in all. While a server waits for us (a form that the user
 * fills in, a text that our model writes), no call of its loses time.
 */

export interface Patience {
  /** A call begins; `signal` ends it before its time. */
  start(limits: Limits, signal?: AbortSignal): Clock;
  /** The server waits for this work. */
  during<Result>(work: Promise<Result>): Promise<Result>;
}

export interface Limits {
  /** Milliseconds without a sign of life. */
  readonly silence: number;
  /** Milliseconds in all. */
  readonly total: number;
}

export interface Clock {
  /** Aborted when the time is up, and with the signal that was given. */
  readonly signal: AbortSignal;
  /** The limit, in milliseconds, that was reached. */
  readonly reached: number | undefined;
  /** There was a sign of life. */
  alive(): void;
  stop(): void;
}

interface RunningClock extends Clock {
  hold(): void;
  goOn(): void;
}

export function createPatience(): Patience {
  const clocks = new Set<RunningClock>();
  let asked = 0;

  return {
    start(limits, signal) {
      const clock = runningClock(limits, signal, () => clocks.delete(clock));
      clocks.add(clock);
      if (asked === 0) clock.goOn();
      return clock;
    },
    async during(work) {
      if (asked++ === 0) for (const clock of clocks) clock.hold();
      try {
        return await work;
      } finally {
        if (--asked === 0) for (const clock of clocks) clock.goOn();
      }
    },
  };
}

function runningClock(
  { silence, total }: Limits,
  outer: AbortSignal | undefined,
  onStop: () => void,
): RunningClock {
  const end = new AbortController();
  let reached: number | undefined;
  let left = total;
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  // Taken off again at the end: the signal of a run outlives its calls.
  const onAbort = () => end.abort(outer?.reason);
  outer?.addEventListener('abort', onAbort);

  function expire(): void {
    reached = left > silence ? silence : total;
    end.abort(new Error('The time for the call is up.'));
  }

  function goOn(): void {
    since = performance.now();
    timer = setTimeout(expire, Math.min(silence, left));
  }

  function hold(): void {
    clearTimeout(timer);
    if (since !== undefined) left = Math.max(0, left - (performance.now() - since));
    since = undefined;
  }

  return {
    signal: end.signal,
    get reached() {
      return reached;
    },
    hold,
    goOn,
    alive() {
      if (since === undefined) return;
      hold();
      goOn();
    },
    stop() {
      hold();
      outer?.removeEventListener('abort', onAbort);
      onStop();
    },
  };
}
