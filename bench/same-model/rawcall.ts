/** Our own ways: completions read and nothing else, calls held to a grammar, and the policy that `auto` takes for the model. */
import { createAgent } from '../../src/agent/agent.ts';
import { autoPolicy } from '../../src/agent/auto-policy.ts';
import { detectFormat } from '../../src/detect-format.ts';
import { openLlamaEngine } from '../../src/engine/llama.ts';
import { rawModel } from '../../src/model/raw.ts';
import { rememberingEngine } from '../policies/remember.ts';
import { type Arm, type ArmOptions, type MadeCall, type Reply, stubResult } from './arm.ts';

export async function openRawcallArms(
  options: ArmOptions,
): Promise<{ arms: readonly Arm[]; close(): Promise<void> }> {
  const { model: file, contextSize, threads, maxTokens, maxRounds } = options;
  const llama = await openLlamaEngine({ model: file, gpu: 'off', contextSize, threads });
  const { chatTemplate } = llama.info;
  const { format, reason } = await detectFormat({
    tokens: llama.controlTokens,
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
  });
  if (!format) throw new Error(`${file}: ${reason}`);
  const model = rawModel(rememberingEngine(llama), format);
  const ways = {
    rawcall: {},
    'rawcall+calls': { constrain: 'calls' },
    'rawcall auto': { policy: autoPolicy(llama.info) },
  } as const;

  const arm = (name: keyof typeof ways): Arm => ({
    name,
    async ask({ messages, tools }) {
      const agent = createAgent({
        model,
        tools: { tools, call: async () => ({ content: stubResult, isError: false }) },
        approve: async () => ({ allowed: true }),
        messages: messages.slice(0, -1),
        maxTokens,
        maxRounds,
        ...ways[name],
      });
      const turns: { calls: MadeCall[]; text: string }[] = [];
      const refused: string[] = [];
      const cost = { evaluated: 0, generated: 0 };
      let ran = true;
      for await (const event of agent.run(messages.at(-1)?.content ?? '')) {
        const turn = turns.at(-1);
        if (event.type === 'turn-start') {
          // No more calls come, and the answer is not what is measured.
          if (event.purpose === 'answer') break;
          // What a model writes on before anything was run belongs to the same turn.
          if (ran) turns.push({ calls: [], text: '' });
          ran = false;
        } else if (event.type === 'text-delta' && turn) turn.text += event.text;
        else if (event.type === 'tool-end') ran = true;
        else if (event.type === 'call-failed') refused.push(event.problem);
        else if (event.type === 'call-end')
          turn?.calls.push({ name: event.call.name, arguments: event.call.argumentsText });
        else if (event.type === 'usage') {
          // What an arm before it left in the cache is none of this one's saving.
          cost.evaluated += cost.evaluated === 0 ? event.prompt : event.evaluated;
          cost.generated += event.generated;
        }
      }
      return { turns, ...cost, ...(refused.length === 0 ? {} : { refused }) } satisfies Reply;
    },
    close: async () => {},
  });
  return {
    arms: (Object.keys(ways) as (keyof typeof ways)[]).map(arm),
    close: () => llama.close(),
  };
}
