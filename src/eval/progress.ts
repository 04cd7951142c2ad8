/** How long the rest of an evaluation takes, by what it took so far. */

export interface Estimate {
  readonly done: number;
  readonly of: number;
  /** In milliseconds; absent until a sample has ended. */
  readonly left?: number;
}

export function estimator(of: number, earlier: number, now: () => number): (done: number) => Estimate {
  const started = now();
  return done => {
    const taken = done - earlier;
    if (taken <= 0) return { done, of };
    return { done, of, left: ((now() - started) / taken) * (of - done) };
  };
}

/** `about 4 min`, `about 2 h 10 min` */
export function inWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `about ${Math.max(1, seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${minutes} min`;
  return `about ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
