import { stepCountIs, streamText, tool } from 'ai';
import { createRawcall } from 'rawcall/ai-sdk';
import { z } from 'zod';

const rawcall = createRawcall();
const { fullStream } = streamText({
  model: rawcall('models/practice/practice.gguf'),
  prompt: 'What is 31 plus 11?',
  tools: {
    add: tool({
      description: 'Adds two numbers.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: async ({ a, b }) => a + b,
    }),
  },
  stopWhen: stepCountIs(5),
});
let answer = '';
for await (const part of fullStream) {
  if (part.type === 'tool-call') console.log(part.toolName, JSON.stringify(part.input));
  if (part.type === 'tool-result') console.log(part.output);
  if (part.type === 'text-delta') answer += part.text;
}
console.log(answer);
await rawcall.close();
