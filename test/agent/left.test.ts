/** A run that is left in the middle. */
import { expect, test } from 'vitest';
import { createAgent } from '../../src/agent/agent.ts';
import { approval } from '../../src/agent/approval.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import { scriptedTools } from './harness.ts';

test('ends its generation, so that others have the engine', async () => {
  let ended = false;
  const engine: Engine = {
    ...recordedEngine([]),
    generate: () => ({
      usage: { prompt: 0, reused: 0, evaluated: 0, generated: 0 },
      reason: undefined,
      async *[Symbol.asyncIterator]() {
        try {
          for (;;) yield { text: 'on and ' };
        } finally {
          ended = true;
        }
      },
    }),
  };
  const agent = createAgent({
    model: rawModel(engine, formatNamed('hermes')),
    tools: scriptedTools({}),
    approve: approval({}),
  });
  const run = agent.run('Hello?');
  for (let step = await run.next(); !step.done && step.value.type !== 'text-delta'; step = await run.next());
  expect(ended).toBe(false);
  await run.return(undefined as never);
  expect(ended).toBe(true);
});
