/** What holds for a server's tools, with its defaults worked out and without what is needed only to reach it. */
import type { LocalServer, McpServer, ServerSettings } from './servers.ts';

export function settingsOf(server: McpServer | LocalServer): ServerSettings {
  if ('unusable' in server) return { name: server.name };
  const { name, tools, approval, trust = isBuiltIn(server), toolSchemas, timeout, roots } = server;
  return {
    name,
    trust,
    ...(tools ? { tools } : {}),
    ...(approval === undefined ? {} : { approval }),
    ...(toolSchemas === undefined ? {} : { toolSchemas }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(roots ? { roots } : {}),
  };
}

/** One of ours (`rawcall mcp-server …`): its hints are our own words. */
function isBuiltIn(server: Exclude<McpServer | LocalServer, { unusable: string }>): boolean {
  return 'command' in server && server.command === 'rawcall' && server.args[0] === 'mcp-server';
}
