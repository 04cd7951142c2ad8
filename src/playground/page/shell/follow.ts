/** A stream that is opened again where it breaks, so that a server that was restarted or a machine that slept costs nothing. */
import { signal } from '@preact/signals';
import { ApiError, lines } from './api.ts';

/** Why nothing comes from the server, as long as that is so. */
export const lost = signal<ApiError | undefined>(undefined);

interface Following<Line> {
  /** Asked again for each opening: a log is gone on with from where it was broken off. */
  readonly path: () => string;
  readonly onLine: (line: Line) => void;
  /** The server refuses, and would again. */
  readonly onRefused: (error: ApiError) => void;
  /** The stream was ended by the server, which is no fault. Default: it is opened again. */
  readonly onEnd?: () => void;
}

/** @returns what ends it */
export function follow<Line>({ path, onLine, onRefused, onEnd }: Following<Line>): () => void {
  const ended = new AbortController();
  void run();
  return () => ended.abort();

  async function run(): Promise<void> {
    let tries = 0;
    while (!ended.signal.aborted) {
      try {
        for await (const line of lines<Line>(path(), { signal: ended.signal })) {
          tries = 0;
          lost.value = undefined;
          onLine(line);
        }
        if (onEnd) return onEnd();
      } catch (error) {
        if (ended.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        if (error.status !== 0 && error.status < 500) return onRefused(error);
        lost.value = error;
      }
      await pause(Math.min(5000, 250 * 2 ** tries++), ended.signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
