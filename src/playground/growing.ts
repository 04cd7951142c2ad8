/** A list that grows, and what follows it: each reader sees every item from where it begins, and then those that come. */

export interface Growing<Item> {
  readonly items: readonly Item[];
  push(item: Item): void;
  /** Ends when the list is closed or the signal aborts. All that is there at a time comes at once. */
  follow(from: number, signal: AbortSignal): AsyncGenerator<readonly Item[], void>;
  close(): void;
}

/** So many at once, so that a long list does not become one string. */
const most = 500;

export function growing<Item>(items: Item[] = []): Growing<Item> {
  const waiting = new Set<() => void>();
  let closed = false;

  function wake(): void {
    for (const one of waiting) one();
    waiting.clear();
  }

  return {
    items,
    push(item) {
      items.push(item);
      wake();
    },
    async *follow(from, signal) {
      let at = from;
      for (;;) {
        if (signal.aborted) return;
        if (at < items.length) {
          const some = items.slice(at, at + most);
          at += some.length;
          yield some;
        } else if (closed) return;
        else await news(signal);
      }
    },
    close() {
      closed = true;
      wake();
    },
  };

  function news(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
