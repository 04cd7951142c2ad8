/** A built-in server and our own host, joined without a process. */
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JsonObject } from '../../parsers/parser.ts';
import { connectBuiltIn } from '../../src/mcp/servers/serve.ts';
import { openSession } from '../../src/mcp/session.ts';

export async function builtIn(name: string, ...args: string[]) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await connectBuiltIn(name, args, far);
  const events = { onToolsChanged: () => {}, onClosed: () => {} };
  const session = openSession({ name, transport: near, events, startTimeout: 10_000 });
  await session.open();
  return {
    tools: session.tools,
    call: session.call,
    text: async (tool: string, args: JsonObject = {}) => (await session.call(tool, args)).content,
    [Symbol.asyncDispose]: session.close,
  };
}
