/** What the server says of something that is being typed: asked when the typing pauses, and the last answer stays until the next. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, ask } from '../shell/api.ts';

export interface Answered<Answer> {
  readonly answer: Answer | undefined;
  /** Why there is none to what stands there now. */
  readonly failure: string | undefined;
}

const pause = 200;

/** @param body undefined: there is nothing to ask yet */
export function useAnswer<Answer>(path: string, body: object | undefined): Signal<Answered<Answer>> {
  const answered = useSignal<Answered<Answer>>({ answer: undefined, failure: undefined });
  const text = body && JSON.stringify(body);
  useEffect(() => {
    if (text === undefined) {
      answered.value = { answer: undefined, failure: undefined };
      return;
    }
    const gone = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const answer = await ask<Answer>(path, {
          method: 'POST',
          body: JSON.parse(text),
          signal: gone.signal,
        });
        answered.value = { answer, failure: undefined };
      } catch (error) {
        if (gone.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        answered.value = { answer: answered.peek().answer, failure: error.message };
      }
    }, pause);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [path, text]);
  return answered;
}
