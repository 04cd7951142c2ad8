/** What the server has at a path; the path undefined: nothing. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, ask } from '../shell/api.ts';

export interface Fetched<Answer> {
  readonly answer?: Answer;
  readonly failure?: string;
}

export function useFetched<Answer>(path: string | undefined): Signal<Fetched<Answer>> {
  const fetched = useSignal<Fetched<Answer>>({});
  useEffect(() => {
    fetched.value = {};
    if (path === undefined) return;
    const gone = new AbortController();
    ask<Answer>(path, { signal: gone.signal }).then(
      answer => {
        fetched.value = { answer };
      },
      (error: unknown) => {
        if (gone.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        fetched.value = { failure: error.message };
      },
    );
    return () => gone.abort();
  }, [path]);
  return fetched;
}
