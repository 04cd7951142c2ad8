/** A call that runs as a task: the server gives a ticket at once, is asked how it fares, and gives the result when it is done. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fields, isFields } from '../../templates/check.ts';
import type { ToolProgress } from '../tools.ts';

export interface TaskOptions {
  readonly send: (method: string, params: Fields) => Promise<Fields>;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** The server answered. */
  readonly onAlive: () => void;
  readonly onProgress: (progress: ToolProgress) => void;
}

/** Milliseconds between two questions; a server may ask for more or less within these bounds. */
const poll = { least: 50, usual: 1000, most: 30_000 };

/** The ticket in the answer to a call; a server may also answer at once. */
export function taskOf(result: Fields): Fields | undefined {
  return isFields(result.task) && typeof result.task.taskId === 'string' ? result.task : undefined;
}

/** The result of the call, when it is there. Fails as `send` does, and with what the server says of a task that failed. */
export async function taskResult(first: Fields, options: TaskOptions): Promise<Fields> {
  const { send, signal, onAlive, onProgress } = options;
  const { taskId } = first;
  let task = first;
  let told: unknown;
  let result: Promise<Fields> | undefined;

  function ask(): Promise<Fields> {
    result ??= send('tasks/result', { taskId });
    // It may fail while nobody waits for it yet.
    result.catch(() => {});
    return result;
  }

  try {
    while (!ends.has(task.status)) {
      const { status, statusMessage } = task;
      if (typeof statusMessage === 'string' && statusMessage !== told)
        onProgress({ progress: 0, message: statusMessage });
      told = statusMessage;
      // What the server has to ask us first comes with the wait for the result.
      if (status === 'input_required') void ask();
      await sleep(pause(task.pollInterval), undefined, { signal });
      task = await send('tasks/get', { taskId });
      onAlive();
    }
    if (task.status === 'completed') return await ask();
  } catch (error) {
    // It would go on for nobody. A task that is over can't be cancelled, which is as well.
    void send('tasks/cancel', { taskId }).catch(() => {});
    throw error;
  }
  if (task.status === 'cancelled') throw new Error('The server cancelled the task.');
  return failed(task, await ask().catch(() => ({})));
}

const ends: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** What stands in the result of a task that failed is told if there is any, since it says more than the status. */
function failed({ statusMessage }: Fields, result: Fields): Fields {
  if (Array.isArray(result.content)) return { ...result, isError: true };
  const why = typeof statusMessage === 'string' && statusMessage !== '' ? `: ${statusMessage}` : '.';
  throw new Error(`The task failed${why}`);
}

function pause(asked: unknown): number {
  const wanted = typeof asked === 'number' && Number.isFinite(asked) ? asked : poll.usual;
  return Math.min(poll.most, Math.max(poll.least, wanted));
}
