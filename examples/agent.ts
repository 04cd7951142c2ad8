import { approval, createAgent, createEngine, createHost, directServer, formatOf, rawModel } from 'rawcall';

const engine = await createEngine({ model: 'models/practice/practice.gguf' });
const tools = createHost([directServer('node', 'dist/rawcall.cjs mcp-server calc')]);
await tools.ready;

const agent = createAgent({
  model: rawModel(engine, await formatOf(engine)),
  tools,
  approve: approval({ mode: 'auto' }),
});
for await (const event of agent.run('What is 31 plus 11?')) {
  if (event.type === 'call-end') console.log(event.call.name, event.call.argumentsText);
  if (event.type === 'tool-end') console.log(event.result.content);
  if (event.type === 'run-end') console.log(event.answer);
}
await tools.close();
await engine.close();
