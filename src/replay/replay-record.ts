/** What became of a replayed run, for programs. */
import pc from 'picocolors';
import type { Difference } from './difference.ts';
import { explain } from './explain.ts';
import type { ReplayedRun } from './replay.ts';

export interface ReplayRecord {
  readonly type: 'run-replayed';
  /** From 1. */
  readonly run: number;
  readonly question: string;
  readonly turns: number;
  readonly same: boolean;
  /** False where whoever recorded it was ended. */
  readonly finished: boolean;
  readonly reason?: string;
  readonly answer?: string;
  /** `text`: the same in words. */
  readonly difference?: Difference & { readonly text: string };
}

export function replayRecord({ recorded, result, difference, turns }: ReplayedRun): ReplayRecord {
  return {
    type: 'run-replayed',
    run: recorded.number,
    question: recorded.start.question,
    turns,
    same: difference === undefined,
    finished: recorded.finished,
    ...(result ? { reason: result.reason, answer: result.answer } : {}),
    ...(difference
      ? { difference: { ...difference, text: explain(difference, pc.createColors(false)) } }
      : {}),
  };
}
