import { spawn } from 'node:child_process';
import { once } from 'node:events';
import OpenAI from 'openai';

// In a shell: rawcall serve --model models/practice/practice.gguf
const server = spawn('node', ['dist/rawcall.cjs', 'serve', '--port', '0']);
process.on('exit', () => server.kill());
const [ready] = await once(server.stdout, 'data');
const [baseURL] = /^\S+/.exec(String(ready)) ?? [];

const client = new OpenAI({ baseURL, apiKey: 'none' });
const runner = client.chat.completions.runTools({
  model: 'default',
  messages: [{ role: 'user', content: 'What is 31 plus 11?' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'add',
        description: 'Adds two numbers.',
        parameters: {
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number' } },
          required: ['a', 'b'],
        },
        parse: JSON.parse,
        function: ({ a, b }: { a: number; b: number }) => String(a + b),
      },
    },
  ],
});
runner.on('functionToolCall', ({ name, arguments: args }) => console.log(name, args));
runner.on('functionToolCallResult', result => console.log(result));
console.log(await runner.finalContent());
server.kill();
