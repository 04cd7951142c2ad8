/** So many at a time. Lanes take turns, so that none waits for all that another one asked before. */

export interface Queue {
  /** Waits for its turn; gives `undefined`, and its turn away, when the signal aborts first. */
  enter(lane: string, signal?: AbortSignal): Promise<(() => void) | undefined>;
}

export function openQueue(places = 1): Queue {
  /** Those who wait, by lane; the first lane's turn is next. */
  const waiting = new Map<string, Set<() => void>>();
  let running = 0;

  function leave(): void {
    const [turn] = waiting;
    if (!turn) {
      running--;
      return;
    }
    const [lane, starts] = turn;
    const [start] = starts;
    starts.delete(start!);
    waiting.delete(lane);
    if (starts.size > 0) waiting.set(lane, starts);
    start!();
  }

  /** Whether the turn came before the signal aborted. */
  function turnOf(lane: string, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise(resolve => {
      const starts = waiting.get(lane) ?? new Set();
      waiting.set(lane, starts);
      const start = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const giveUp = () => {
        starts.delete(start);
        if (starts.size === 0) waiting.delete(lane);
        resolve(false);
      };
      starts.add(start);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  return {
    async enter(lane, signal) {
      if (signal?.aborted) return undefined;
      if (running < places) running++;
      else if (!(await turnOf(lane, signal))) return undefined;
      return leave;
    },
  };
}
