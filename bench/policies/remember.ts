/**
 * An engine that generates nothing twice. Greedy generations from the same prompt are the same, and most policies begin with the
 * same decision, so that nine policies cost little more than three. What is counted is what the first one cost: in the order that
 * a lane's prompts come in, the others would have found the same prefix in its KV cache.
 */
import type { Piece, StopReason } from '../../parsers/parser.ts';
import type { Engine, Generation, Usage } from '../../src/engine/engine.ts';

interface Remembered {
  readonly pieces: readonly Piece[];
  readonly usage: Usage;
  readonly reason: StopReason | undefined;
  readonly cpu: number;
}

export interface RememberingEngine extends Engine {
  /** Of all generations so far, remembered ones too: in seconds of CPU time. */
  readonly cpu: number;
}

export function rememberingEngine(engine: Engine): RememberingEngine {
  const known = new Map<string, Remembered>();
  let spent = 0;
  return {
    ...engine,
    get cpu() {
      return spent;
    },
    generate(prompt, options = {}) {
      const { maxTokens, lane, steer, grammar } = options;
      const key = JSON.stringify([prompt, maxTokens, lane, steer !== undefined, grammar]);
      let current: Remembered | Generation | undefined;
      return {
        async *[Symbol.asyncIterator]() {
          const found = known.get(key);
          if (found) {
            current = found;
            spent += found.cpu;
            yield* found.pieces;
            return;
          }
          const started = process.cpuUsage();
          const pieces: Piece[] = [];
          const generation = engine.generate(prompt, options);
          current = generation;
          for await (const piece of generation) {
            pieces.push(piece);
            yield piece;
          }
          const { user, system } = process.cpuUsage(started);
          const cpu = (user + system) / 1e6;
          spent += cpu;
          known.set(key, { pieces, usage: { ...generation.usage }, reason: generation.reason, cpu });
        },
        get usage() {
          return current?.usage ?? { prompt: 0, reused: 0, evaluated: 0, generated: 0 };
        },
        get reason() {
          return current?.reason;
        },
      };
    },
  };
}
