/** Requests side by side over a socket: none waits for another, and each conversation finds its own cache. */
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { practiceModel } from '../engine/practice.ts';
import { startServer, type TestServer } from './server.ts';

let engine: LlamaEngine;
let server: TestServer;
let client: OpenAI;
beforeAll(async () => {
  engine = await openLlamaEngine({ model: practiceModel, contextSize: 1024, gpu: 'off', parallel: 3 });
  server = await startServer(engine, { slots: engine.parallel });
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

type Messages = OpenAI.ChatCompletionMessageParam[];

test('two conversations that alternate evaluate nothing twice, and a third client costs them nothing', async () => {
  const talks: Messages[] = ['rain', 'cars'].map(subject => [
    { role: 'user', content: `Tell me of ${`${subject} and `.repeat(20)}so on.` },
  ]);
  const held = [0, 0];
  for (let turn = 0; turn < 3; turn++) {
    for (const [index, messages] of talks.entries()) {
      const { choices, usage } = await client.chat.completions.create({
        model: 'practice',
        messages,
        max_tokens: 12,
      });
      expect(usage!.prompt_tokens_details!.cached_tokens).toBeGreaterThanOrEqual(held[index]!);
      held[index] = usage!.prompt_tokens;
      messages.push({ role: 'assistant', content: choices[0]!.message.content ?? '' });
      messages.push({ role: 'user', content: `And ${turn}?` });
    }
    const messages: Messages = [{ role: 'user', content: `Hi ${turn}` }];
    await client.chat.completions.create({ model: 'practice', messages, max_tokens: 2 });
  }
});

test('a short request that comes while a long one streams ends before it', async () => {
  const long = await fetch(`${server.url}/v1/completions`, {
    method: 'POST',
    body: JSON.stringify({
      prompt: 'Go on',
      stream: true,
      max_tokens: 400,
      x_rawcall: { grammar: 'root ::= [a-z] root' },
    }),
  });
  const ended: string[] = [];
  const first = long.text().then(() => ended.push('long'));
  await client.completions.create({ model: 'practice', prompt: 'Hi', max_tokens: 3 });
  ended.push('short');
  await first;
  expect(ended).toEqual(['short', 'long']);
});
