/** Standard input, line by line, for questions and approvals alike: whoever asks next gets the next line. */
import { fstatSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Lifetime } from './lifetime.ts';

export interface Lines {
  readonly terminal: boolean;
  /** The next line, or nothing at the end of the input. On a terminal `prompt` is shown, and Tab completes the line. */
  next(prompt: string, signal?: AbortSignal, complete?: Complete): Promise<string | undefined>;
  /** Tells something while a line may be being typed, which stays as it is. */
  aside(tell: () => void): void;
  /** What was typed ahead on a terminal is no answer to a question that was not there yet. */
  forgetTyped(): void;
  close(): void;
}

/** Of a line up to the cursor: what may stand there, and the end of the line in whose place it would. */
export type Complete = (line: string) => Promise<[candidates: string[], replaced: string]>;

/** True where nobody will ever write a line: stdin is closed, or the null device. */
export function nothingOnStdin(): boolean {
  try {
    return process.stdin.isTTY !== true && fstatSync(0).isCharacterDevice();
  } catch {
    return true;
  }
}

/** Nothing is read before the first `next`. */
export function stdinLines(lifetime: Lifetime): Lines {
  const terminal = process.stdin.isTTY === true;
  const waiting: string[] = [];
  let taker: ((line: string | undefined) => void) | undefined;
  let ended = false;
  let reader: ReturnType<typeof createInterface> | undefined;
  let completing: Complete | undefined;

  function completer(line: string, done: (error: null, found: [string[], string]) => void): void {
    const nothing: [string[], string] = [[], line];
    const found = completing?.(line).catch(() => nothing) ?? Promise.resolve(nothing);
    void found.then(candidates => done(null, candidates));
  }

  function open(): ReturnType<typeof createInterface> {
    const opened = createInterface({
      input: process.stdin,
      ...(terminal ? { output: process.stderr, completer } : {}),
    });
    opened.on('line', line => {
      if (taker) give(line);
      else waiting.push(line);
    });
    opened.on('close', () => {
      ended = true;
      give(undefined);
    });
    opened.on('SIGINT', () => lifetime.interrupt());
    return opened;
  }

  function give(line: string | undefined): void {
    const take = taker;
    taker = undefined;
    take?.(line);
  }

  return {
    terminal,
    next(prompt, signal, complete) {
      reader ??= open();
      completing = complete;
      const line = waiting.shift();
      if (line !== undefined || ended || signal?.aborted) return Promise.resolve(line);
      if (terminal) {
        reader.setPrompt(prompt);
        reader.prompt();
      }
      return new Promise(resolve => {
        const take = (given: string | undefined) => {
          signal?.removeEventListener('abort', stop);
          resolve(given);
        };
        const stop = () => {
          if (taker === take) give(undefined);
        };
        taker = take;
        signal?.addEventListener('abort', stop, { once: true });
      });
    },
    aside(tell) {
      const typing = terminal && taker !== undefined;
      if (typing) process.stderr.write('\r\x1b[K');
      tell();
      if (typing) reader?.prompt(true);
    },
    forgetTyped() {
      if (terminal) waiting.length = 0;
    },
    close: () => reader?.close(),
  };
}

/** Asks a question to be answered by yes; whatever else is answered is no. Undefined: there is nobody who could answer. */
export async function agreed(question: string, lifetime: Lifetime): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const lines = stdinLines(lifetime);
  const line = await lines.next(`${question} [y / n] `);
  lines.close();
  return /^y(es)?$/i.test(line?.trim() ?? '');
}
