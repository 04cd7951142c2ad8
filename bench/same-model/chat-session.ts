/** node-llama-cpp's LlamaChatSession with functions, under the wrapper that the library chooses for the model. */
import { defineChatSessionFunction, LlamaChatSession } from 'node-llama-cpp';
import { openContext } from '../../src/engine/llama/context.ts';
import { loadModel } from '../../src/engine/llama/model.ts';
import { openNative } from '../../src/engine/llama/native.ts';
import { type Arm, type ArmOptions, type MadeTurn, stubResult } from './arm.ts';

export async function openSessionArm(options: ArmOptions): Promise<Arm> {
  const { contextSize, threads, maxTokens, maxRounds } = options;
  const native = await openNative('off');
  const model = await loadModel(native, { model: options.model });
  const context = await openContext(native, model, { contextSize, threads });
  const sequence = context.getSequence();
  return {
    name: 'chat-session',
    async ask({ messages, tools }) {
      await sequence.clearHistory();
      const session = new LlamaChatSession({ contextSequence: sequence });
      const before = { ...sequence.tokenMeter.getState() };
      const stopped = new AbortController();
      let calls = 0;
      const functions = Object.fromEntries(
        tools.map(({ name, description = '', inputSchema }) => [
          name,
          defineChatSessionFunction({
            description,
            params: librarySchema(inputSchema) as never,
            handler() {
              // It calls without end, and has no limit of its own. Several at once are one round at least.
              if (++calls >= 2 * maxRounds) stopped.abort();
              return JSON.parse(stubResult);
            },
          }),
        ]),
      );
      try {
        const { response } = await session.promptWithMeta(messages.at(-1)?.content ?? '', {
          functions,
          maxTokens,
          temperature: 0,
          signal: stopped.signal,
          stopOnAbortSignal: true,
        });
        const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.diff(before);
        return { turns: turnsOf(response), evaluated: usedInputTokens, generated: usedOutputTokens };
      } finally {
        session.dispose({ disposeSequence: false });
      }
    },
    async close() {
      await context.dispose();
      await model.dispose();
    },
  };
}

type Response = Awaited<ReturnType<LlamaChatSession['promptWithMeta']>>['response'];

function turnsOf(response: Response): MadeTurn[] {
  const turns: { text: string; calls: { name: string; arguments: string }[] }[] = [];
  for (const item of response) {
    if (typeof item !== 'string' && item.type !== 'functionCall') continue;
    // Words behind calls are those of the turn after them.
    const begins = typeof item === 'string' || item.startsNewChunk;
    let turn = turns.at(-1);
    if (!turn || (begins && turn.calls.length > 0)) {
      turn = { text: '', calls: [] };
      turns.push(turn);
    }
    if (typeof item === 'string') turn.text += item;
    else turn.calls.push({ name: item.name, arguments: JSON.stringify(item.params ?? {}) });
  }
  return turns;
}

/** It takes no schema without a type, and a choice without one. */
function librarySchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(librarySchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, items, enum: values, type, description } = schema as Record<string, unknown>;
  const told = description === undefined ? {} : { description };
  if (values !== undefined) return { ...told, enum: values };
  if (type === undefined) return { ...told, type: 'string' };
  return {
    ...told,
    type,
    ...(type === 'object'
      ? {
          properties: Object.fromEntries(
            Object.entries((properties as object | undefined) ?? {}).map(([key, inner]) => [
              key,
              librarySchema(inner),
            ]),
          ),
        }
      : {}),
    ...(items === undefined ? {} : { items: librarySchema(items) }),
  };
}
