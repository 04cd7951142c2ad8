/** One conversation with the user at a time: calls run side by side, and each may have something to ask. */
import { holdProgress } from '../progress-line.ts';

export type Floor = <Result>(talk: () => Promise<Result>) => Promise<Result>;

export function createFloor(): Floor {
  let last: Promise<unknown> = Promise.resolve();
  return talk => {
    const turn = last.then(async () => {
      using _ = holdProgress();
      return await talk();
    });
    last = turn.catch(() => {});
    return turn;
  };
}
