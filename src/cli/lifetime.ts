/** From start to exit: what has to be closed, who is told of an interrupt, and that every way out goes through the closing. */
import { flush } from './output.ts';

/** Whoever closes what is opened. */
export interface Closing {
  /** Closed in the reverse order, on every way out. */
  closeAtEnd(close: () => Promise<void>): void;
}

export interface Lifetime extends Closing {
  /** Takes an interrupt (Ctrl-C) for as long as it is set, instead of leaving. A second one in that time leaves. */
  interruptible(stop: () => void): Disposable;
  /** As if the user had pressed Ctrl-C: a terminal in raw mode sends no signal. */
  interrupt(): void;
  /** Closes all and exits; only the first call counts. */
  leave(code: number): Promise<never>;
  readonly leaving: boolean;
}

/** A server or a native call that hangs must not hold the exit up. */
const patience = 8_000;

export function createLifetime(): Lifetime {
  const closers: (() => Promise<void>)[] = [];
  let stop: (() => void) | undefined;
  let left: Promise<never> | undefined;

  async function close(): Promise<void> {
    for (const one of closers.reverse()) await one().catch(() => {});
  }

  async function exit(code: number): Promise<never> {
    await Promise.race([close(), new Promise(resolve => setTimeout(resolve, patience))]);
    await Promise.race([flush(), new Promise(resolve => setTimeout(resolve, patience))]);
    process.exit(code);
  }

  function leave(code: number): Promise<never> {
    left ??= exit(code);
    return left;
  }

  function interrupt(): void {
    const stopping = stop;
    stop = undefined;
    if (stopping) stopping();
    else void leave(130);
  }

  process.on('SIGINT', interrupt);
  process.on('SIGTERM', () => void leave(143));
  process.on('SIGHUP', () => void leave(129));

  return {
    closeAtEnd: one => closers.push(one),
    interruptible(stopping) {
      stop = stopping;
      return {
        [Symbol.dispose]() {
          if (stop === stopping) stop = undefined;
        },
      };
    },
    interrupt,
    leave,
    get leaving() {
      return left !== undefined;
    },
  };
}

/** What is opened together is closed together, whenever that is. */
export function together(): Closing & { close(): Promise<void> } {
  const closers: (() => Promise<void>)[] = [];
  return {
    closeAtEnd: one => closers.push(one),
    async close() {
      for (const one of closers.splice(0).reverse()) await one();
    },
  };
}
