/** News that come while something else is waited for. Of each sender only the newest is kept, however fast they come. */
export interface Newest<Key, News> {
  put(key: Key, news: News): void;
  /** Gives the news as they come, until the work is done. */
  during<Result>(work: Promise<Result>): AsyncGenerator<News, Result>;
}

export function newest<Key, News>(): Newest<Key, News> {
  const waiting = new Map<Key, News>();
  let wake = () => {};

  return {
    put(key, news) {
      waiting.set(key, news);
      wake();
    },
    async *during(work) {
      let done = false;
      const finish = () => {
        done = true;
        wake();
      };
      work.then(finish, finish);
      for (;;) {
        for (const [key, news] of waiting) {
          waiting.delete(key);
          yield news;
        }
        if (done) return work;
        await new Promise<void>(resolve => {
          wake = resolve;
          if (done || waiting.size > 0) resolve();
        });
      }
    },
  };
}
