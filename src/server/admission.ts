/** How many requests run at once and how many may wait; who comes after them is told when to come again. */
import { refuse } from './api-error.ts';

export interface Admission {
  /**
   * Waits for a place; what it gives leaves it again. Nothing where the signal aborted first.
   *
   * @throws RawcallError `api_error` (429) where too many wait already
   */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
  readonly running: number;
  readonly waiting: number;
}

export interface AdmissionOptions {
  /** How many requests run side by side; it is known when the model is there. */
  readonly slots: () => number;
  /** Requests that wait behind them. */
  readonly queue: number;
  /** In ms, from any start. */
  readonly now: () => number;
}

export function openAdmission({ slots, queue, now }: AdmissionOptions): Admission {
  let running = 0;
  const waiting = new Set<() => void>();
  /** Of the requests that ended, in ms; the last ones count most. */
  let usual = 2000;

  function start(): () => void {
    running++;
    const from = now();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      running--;
      usual = usual * 0.8 + (now() - from) * 0.2;
      const [next] = waiting;
      next?.();
    };
  }

  return {
    async enter(signal) {
      if (signal.aborted) return undefined;
      if (running < slots()) return start();
      if (waiting.size >= queue) {
        const seconds = Math.max(1, Math.ceil(((waiting.size + 1) * usual) / slots() / 1000));
        refuse({
          status: 429,
          type: 'rate_limit_error',
          code: 'rate_limit_exceeded',
          message: `${running} requests run and ${waiting.size} wait already. Try again in ${seconds} s.`,
          retryAfter: seconds,
        });
      }
      return new Promise(resolve => {
        const settle = (place: (() => void) | undefined) => {
          waiting.delete(begin);
          signal.removeEventListener('abort', giveUp);
          resolve(place);
        };
        const begin = () => settle(start());
        const giveUp = () => settle(undefined);
        waiting.add(begin);
        signal.addEventListener('abort', giveUp);
      });
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting.size;
    },
  };
}
