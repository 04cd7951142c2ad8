/** What this process holds when all garbage is collected, in bytes. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function heldMemory(): { readonly rss: number; readonly heapUsed: number } {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heapUsed };
}
