import { createEngine, formatOf, promptText, rawModel } from 'rawcall';

const engine = await createEngine({ model: 'models/practice/practice.gguf' });
const model = rawModel(engine, await formatOf(engine));

const turn = model.render({
  messages: [{ role: 'user', content: 'What is 31 plus 11?' }],
  tools: [
    {
      name: 'add',
      description: 'Adds two numbers.',
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
    },
  ],
});
console.log(promptText(turn.prompt));
for await (const event of model.turn(turn, { purpose: 'decision', constrain: 'calls' })) {
  if (event.type === 'call-end') console.log(event.call.name, event.call.argumentsText);
  if (event.type === 'usage') console.log(`${event.generated} tokens, ${event.passes} of them sampled`);
}
await engine.close();
