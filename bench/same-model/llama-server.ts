/** A llama-server with the model's own template and its own parser of calls, as a client of OpenAI's API drives it. */
import { startServer } from '../peers/start-server.ts';
import { type Arm, type ArmOptions, type MadeTurn, stubResult } from './arm.ts';

interface Answer {
  readonly choices: readonly [
    {
      readonly message: {
        readonly content: string | null;
        readonly tool_calls?: readonly {
          readonly id: string;
          readonly function: { readonly name: string; readonly arguments: string };
        }[];
      };
    },
  ];
  readonly timings: { readonly prompt_n: number; readonly predicted_n: number };
  readonly usage: { readonly prompt_tokens: number };
}

export async function openServerArm(folder: string, options: ArmOptions): Promise<Arm> {
  const { model, contextSize, threads, maxTokens, maxRounds } = options;
  const server = await startServer({ folder, model, contextSize, threads, template: '' });
  return {
    name: 'llama-server',
    async ask({ messages: asked, tools }) {
      const messages: object[] = [...asked];
      const turns: MadeTurn[] = [];
      const cost = { evaluated: 0, generated: 0 };
      while (turns.length <= maxRounds) {
        const response = await fetch(`${server.address}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            messages,
            tools: tools.map(({ name, description, inputSchema }) => ({
              type: 'function',
              function: { name, description, parameters: inputSchema },
            })),
            parallel_tool_calls: true,
            max_tokens: maxTokens,
            temperature: 0,
            cache_prompt: true,
          }),
        });
        if (!response.ok)
          throw new Error(`The llama-server answered ${response.status}: ${await response.text()}`);
        const { choices, timings, usage } = (await response.json()) as Answer;
        const { content, tool_calls: calls = [] } = choices[0].message;
        cost.evaluated += turns.length === 0 ? usage.prompt_tokens : timings.prompt_n;
        cost.generated += timings.predicted_n;
        turns.push({ text: content ?? '', calls: calls.map(call => call.function) });
        if (calls.length === 0) break;
        messages.push(choices[0].message);
        for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: stubResult });
      }
      return { turns, ...cost };
    },
    close: server.close,
  };
}
