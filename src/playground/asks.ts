/** What a run asks of the user: one open question for each `ask`, answered once, or given up when the run ends. */
import { randomUUID } from 'node:crypto';

export interface Asks {
  /** True while there is something to answer. */
  readonly open: boolean;
  /**
   * @param tell puts the question into the log
   * @returns undefined where nobody answers any more
   */
  ask<Answer>(
    tell: (ask: string) => void,
    read: (given: unknown) => Answer,
    signal: AbortSignal,
  ): Promise<Answer | undefined>;
  /**
   * Gives false where there is no such question, or not any more.
   *
   * @throws RawcallError `api_error` (400): it is no answer to that
   */
  answer(ask: string, given: unknown): boolean;
}

/** @param ended puts the end of each into the log */
export function openAsks(ended: (ask: string) => void): Asks {
  const open = new Map<string, (given: unknown) => void>();
  return {
    get open() {
      return open.size > 0;
    },
    async ask<Answer>(
      tell: (ask: string) => void,
      read: (given: unknown) => Answer,
      signal: AbortSignal,
    ): Promise<Answer | undefined> {
      if (signal.aborted) return undefined;
      const ask = randomUUID();
      return new Promise(resolve => {
        const end = (answer: Answer | undefined) => {
          open.delete(ask);
          signal.removeEventListener('abort', giveUp);
          ended(ask);
          resolve(answer);
        };
        const giveUp = () => end(undefined);
        open.set(ask, given => end(read(given)));
        signal.addEventListener('abort', giveUp, { once: true });
        tell(ask);
      });
    },
    answer(ask, given) {
      const take = open.get(ask);
      take?.(given);
      return take !== undefined;
    },
  };
}
