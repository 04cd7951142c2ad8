/** `rawcall mcp-server`: one of the built-in servers; stdout belongs to the protocol alone. */
import { serveBuiltIn } from '../mcp/servers/serve.ts';

export async function mcpServer(name: string, args: readonly string[]): Promise<number> {
  await serveBuiltIn(name, args);
  return 0;
}
