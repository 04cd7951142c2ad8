/** Servers over engines that write what a test wants. */
import { expect } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { type RecordedCompletion, type RecordedEngine, recordedEngine } from '../../src/engine/recorded.ts';
import { type ServerOptions, startServer, type TestServer } from './server.ts';

export const letters = (text: string) => [...text].map(letter => ({ text: letter }));

/** A server that gives these completions out; a text comes letter by letter. */
export async function recorded<Result>(
  completions: readonly RecordedCompletion[],
  use: (server: TestServer, engine: RecordedEngine) => Promise<Result>,
  options: ServerOptions = {},
): Promise<Result> {
  const engine = recordedEngine(completions.map(one => (typeof one === 'string' ? letters(one) : one)));
  const server = await startServer(engine, options);
  try {
    const result = await use(server, engine);
    expect(server.errors).toEqual([]);
    return result;
  } finally {
    await server.close();
  }
}

/** Each completion is what `write` gives. */
export function writingEngine(write: () => AsyncGenerator<{ readonly text: string }>): Engine {
  return {
    ...recordedEngine([]),
    generate: () => ({
      usage: { prompt: 0, reused: 0, evaluated: 0, generated: 1 },
      reason: 'stop',
      [Symbol.asyncIterator]: write,
    }),
  };
}

/** It fails in the middle, with a message that is no client's business. */
export const failingEngine = (): Engine =>
  writingEngine(async function* () {
    yield { text: 'It ' };
    throw new Error('/home/someone/model.gguf is gone');
  });
