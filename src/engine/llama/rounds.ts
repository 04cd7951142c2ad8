/**
 * Generations that run side by side are evaluated in rounds: the next step of each of them goes into one batch, which reads the
 * weights once for all. Left to themselves they would seldom meet: the library evaluates what has been asked for as soon as a
 * batch has ended, and the first sequence to have its token would be asked about alone.
 */

export interface Rounds {
  /** One who may take part. */
  member(): Member;
  /** Between two rounds, when no sequence is being evaluated. */
  between<Result>(run: () => Promise<Result>): Promise<Result>;
}

export interface Member {
  /** Others wait for it a little, until it leaves. */
  join(): void;
  /** In the next round. */
  step<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Whether no other takes part. */
  readonly alone: boolean;
  leave(): void;
}

/**
 * So many turns of the event loop a round waits for members who have had their last token and haven't asked for the next. Whoever
 * takes longer, because of a slow client or a grammar that is compiled, is in the round after it.
 */
const patience = 2;

export function openRounds(): Rounds {
  const members = new Set<Member>();
  /** What each of them does in the next round. */
  const steps = new Map<Member, () => Promise<unknown>>();
  const alone: (() => Promise<unknown>)[] = [];
  let busy = false;
  let late: NodeJS.Immediate | undefined;

  function next(): void {
    if (busy) return;
    const first = alone.shift();
    if (first) void round([first]);
    else if (steps.size === 0) return;
    else if (steps.size === members.size) start();
    else late ??= wait(patience);
  }

  function wait(turns: number): NodeJS.Immediate {
    return setImmediate(() => {
      if (turns === 1) start();
      else late = wait(turns - 1);
    });
  }

  function start(): void {
    const runs = [...steps.values()];
    steps.clear();
    void round(runs);
  }

  async function round(runs: readonly (() => Promise<unknown>)[]): Promise<void> {
    busy = true;
    clearImmediate(late);
    late = undefined;
    await Promise.allSettled(runs.map(run => run()));
    busy = false;
    next();
  }

  function asked<Result>(
    run: () => Promise<Result>,
    put: (run: () => Promise<Result>) => void,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      put(() => {
        const running = run();
        running.then(resolve, reject);
        return running;
      });
      next();
    });
  }

  return {
    member() {
      const member: Member = {
        join: () => void members.add(member),
        step: run => asked(run, begin => steps.set(member, begin)),
        get alone() {
          return members.size === 1;
        },
        leave() {
          members.delete(member);
          next();
        },
      };
      return member;
    },
    between: run => asked(run, begin => alone.push(begin)),
  };
}
