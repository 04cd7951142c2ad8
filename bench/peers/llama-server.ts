/** The dialogue through llama-server's chat endpoint, as the wheel xllamacpp brings it. */
import { readGgufTemplate } from '../../src/engine/llama/gguf.ts';
import { openLlamaVocabulary } from '../../src/engine/llama.ts';
import { practiceModel, result, system } from '../dialogue.ts';
import type { Cost, PeerOptions } from '../peers.ts';
import { startServer } from './start-server.ts';

export interface Server {
  dialogue(): Promise<Cost>;
  close(): Promise<void>;
}

interface Answer {
  readonly timings: { readonly prompt_n: number; readonly predicted_n: number };
}

export async function openServer(folder: string, options: PeerOptions): Promise<Server> {
  const { model, contextSize, threads, tools, exchanges, resultLength } = options;
  const { chatTemplate = '' } = await readGgufTemplate(model);
  // A template that has no place for tools would be given one of the server's own.
  const template = chatTemplate.includes('tool_call')
    ? chatTemplate
    : (await readGgufTemplate(practiceModel)).chatTemplate;
  const server = await startServer({ folder, model, contextSize, threads, template: template ?? '' });
  const { address } = server;

  const vocabulary = await openLlamaVocabulary({ model });
  const length = (text: string) => vocabulary.countTokens([{ text, origin: 'assistant' }]);
  const offered = tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));

  async function complete(messages: readonly object[], tokens: number): Promise<number> {
    const response = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        messages,
        tools: offered,
        max_tokens: tokens,
        ignore_eos: true,
        temperature: 0,
        cache_prompt: true,
      }),
    });
    if (!response.ok)
      throw new Error(`The llama-server answered ${response.status}: ${await response.text()}`);
    const { timings } = (await response.json()) as Answer;
    if (timings.predicted_n !== tokens)
      throw new Error(`The llama-server wrote ${timings.predicted_n} tokens and not ${tokens}.`);
    return timings.prompt_n + timings.predicted_n - 1;
  }

  let dialogues = 0;
  return {
    async dialogue() {
      let evaluated = 0;
      // Another first word each time, so that nothing is found in the cache of the dialogue before.
      const messages: object[] = [{ role: 'system', content: `${++dialogues}. ${system}` }];
      const start = performance.now();
      for (const { question, calls, answer } of exchanges) {
        messages.push({ role: 'user', content: question });
        const written = calls.map(
          ({ name, argumentsText }) =>
            `<tool_call>\n{"name": "${name}", "arguments": ${argumentsText}}\n</tool_call>`,
        );
        evaluated += await complete(messages, length(written.join('\n')));
        messages.push({
          role: 'assistant',
          content: '',
          tool_calls: calls.map(({ id, name, argumentsText }) => ({
            id,
            type: 'function',
            function: { name, arguments: argumentsText },
          })),
        });
        for (const { id, name } of calls)
          messages.push({ role: 'tool', tool_call_id: id, name, content: result(name, resultLength) });
        evaluated += await complete(messages, length(answer));
        messages.push({ role: 'assistant', content: answer });
      }
      return { evaluated, wall: performance.now() - start };
    },
    async close() {
      await vocabulary.close();
      await server.close();
    },
  };
}
