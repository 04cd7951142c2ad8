/** What llama.cpp says while it works: kept for error messages, handed on only to those who ask. */
import { setTimeout } from 'node:timers/promises';

export interface NativeLog {
  add(level: string, message: string): void;
  /** The last lines, whatever they were about. */
  all(): readonly string[];
  /** Collects warnings and errors from now on. */
  listen(onLine?: (line: string) => void): Listener;
}

interface Listener {
  lines(): readonly string[];
  /** The lines once there are any: they come from another thread, after the failure that they explain. */
  awaited(): Promise<readonly string[]>;
  stop(): void;
}

const kept = 100;

export function nativeLog(): NativeLog {
  const last: string[] = [];
  const listeners = new Set<(level: string, line: string) => void>();
  return {
    add(level, message) {
      const line = message.trim();
      last.push(line);
      if (last.length > kept) last.shift();
      for (const listener of listeners) listener(level, line);
    },
    all: () => [...last],
    listen(onLine) {
      const lines: string[] = [];
      const listener = (level: string, line: string) => {
        onLine?.(line);
        if (level === 'error' || level === 'fatal' || level === 'warn') lines.push(line);
      };
      listeners.add(listener);
      return {
        lines: () => lines,
        async awaited() {
          for (let tries = 0; tries < 20 && lines.length === 0; tries++) await setTimeout(10);
          return lines;
        },
        stop: () => void listeners.delete(listener),
      };
    },
  };
}
