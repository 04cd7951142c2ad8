/** The dialogue through node-llama-cpp's own LlamaChatSession, with functions. */
import {
  defineChatSessionFunction,
  LlamaChatSession,
  QwenChatWrapper,
  type Token,
  TokenBias,
} from 'node-llama-cpp';
import { openContext } from '../../src/engine/llama/context.ts';
import { loadModel } from '../../src/engine/llama/model.ts';
import { openNative } from '../../src/engine/llama/native.ts';
import { result, system } from '../dialogue.ts';
import type { Cost, PeerOptions } from '../peers.ts';

export async function sessionDialogue(options: PeerOptions): Promise<Cost> {
  const { exchanges, tools, contextSize, threads, resultLength } = options;
  const native = await openNative('off');
  const model = await loadModel(native, { model: options.model });
  const context = await openContext(native, model, { contextSize, threads });
  const sequence = context.getSequence();
  const session = new LlamaChatSession({
    contextSequence: sequence,
    // The practice model and the larger ones are told tools in Qwen's way, as ours are.
    chatWrapper: new QwenChatWrapper(),
    systemPrompt: system,
  });
  const functions = Object.fromEntries(
    tools.map(({ name, description = '', inputSchema }) => [
      name,
      defineChatSessionFunction({
        description,
        params: inputSchema as never,
        handler: () => result(name, resultLength),
      }),
    ]),
  );

  const encode = (text: string) => model.tokenize(text, true);
  const start = performance.now();
  for (const { question, calls, answer } of exchanges) {
    const [first, ...others] = calls;
    const script = [
      // The library reads a name up to its line's end and arguments up to four of them; what else a call has it writes itself.
      ...encode(`<tool_call>\n{"name": "`),
      ...[first!, ...others].flatMap(({ name, argumentsText }, index) => [
        ...(index > 0 ? encode('\n') : []),
        ...encode(name),
        ...encode('\n'),
        ...encode(argumentsText),
        ...encode('\n\n\n\n'),
      ]),
      ...encode(answer),
    ];
    const dictated = dictation(script, model);
    const { responseText } = await session.promptWithMeta(question, {
      functions,
      maxParallelFunctionCalls: calls.length,
      tokenBias: dictated.bias,
      signal: dictated.signal,
      stopOnAbortSignal: true,
      onToken: dictated.onToken,
    });
    if (responseText !== answer) throw new Error(`The answer was to be ${answer}, and is ${responseText}.`);
  }
  const wall = performance.now() - start;
  const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter;
  await context.dispose();
  await model.dispose();
  return { evaluated: usedInputTokens + usedOutputTokens, wall };
}

/** Leaves the sampler the next id of the script and no other, and ends the reply behind the last one. */
function dictation(script: readonly Token[], model: Parameters<typeof TokenBias.for>[0]) {
  const ended = new AbortController();
  let at = 0;
  return {
    signal: ended.signal,
    bias: () => {
      const bias = TokenBias.for(model);
      const next = script[at++];
      if (next !== undefined) bias.set(next, { logit: 1000 });

      return bias;
    },
    onToken: () => {
      if (at >= script.length) ended.abort();
    },
  };
}
