/** The servers of config file, `--mcp-config` and `--mcp-command` as one source of tools; those that fail are reported. */
import { readMcpConfig } from '../mcp/config.ts';
import { directServer } from '../mcp/direct.ts';
import { type Host, type HostOptions, openHost } from '../mcp/host.ts';
import type { ServerStatus } from '../mcp/managed-server.ts';
import type { McpServer } from '../mcp/servers.ts';
import { usageError } from './exit.ts';
import type { Lifetime } from './lifetime.ts';
import type { Context } from './program.ts';
import type { Report } from './report.ts';

/** @throws RawcallError for what is wrong in a file or a flag, before anything is started */
export async function readServers({ values, serversFile }: Context): Promise<McpServer[]> {
  const { mcpConfig, mcpCommand, mcpArgs } = values;
  if (mcpArgs !== undefined && mcpCommand === undefined)
    throw usageError('--mcp-args are the arguments of a server: give --mcp-command too.');
  return [
    ...(serversFile === undefined ? [] : await readMcpConfig(serversFile)),
    ...(mcpConfig === undefined ? [] : await readMcpConfig(mcpConfig)),
    ...(mcpCommand === undefined ? [] : [directServer(mcpCommand, mcpArgs)]),
  ];
}

export async function openTools(
  servers: readonly McpServer[],
  lifetime: Lifetime,
  report: Report,
  more: Pick<HostOptions, 'duties' | 'onLog' | 'logLevel' | 'knownTools' | 'onChange'> = {},
): Promise<Host> {
  const tell = reporter(report);
  const tools = openHost(servers, {
    ...more,
    self: thisProgram(),
    onChange(servers) {
      tell(servers);
      more.onChange?.(servers);
    },
    onResourceUpdated: (server, uri) => report({ type: 'resource-updated', server, uri }),
  });
  lifetime.closeAtEnd(() => tools.close());
  // What failed before anything started is told too.
  tell(tools.servers);
  await tools.ready;
  return tools;
}

/** The command `rawcall` in a config means the one that runs: it need not be installed, and is never another version. */
export function thisProgram(): string[] {
  return [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2)];
}

/** Each failure is told once, however often the servers change; of one that is slow also when it joins. */
function reporter(report: Report): (servers: readonly ServerStatus[]) => void {
  const told = new Set<string>();
  const slow = new Set<string>();
  function once(key: string, tell: () => void): void {
    if (told.has(key)) return;
    told.add(key);
    tell();
  }
  return servers => {
    for (const { name, state, reason, tools, problems, warnings } of servers) {
      const server = name;
      if (state === 'failed') {
        const message = reason ?? 'it failed';
        once(`${name}: ${message}`, () => report({ type: 'server-failed', server, message }));
      }
      if (state === 'starting' && reason !== undefined && !slow.has(name)) {
        slow.add(name);
        report({ type: 'server-warning', server, warning: 'slow_start', message: reason });
      }
      if (state === 'ready' && slow.delete(name))
        report({ type: 'server-joined', server, tools: tools.length });
      for (const { warning, message } of warnings)
        once(`${name}: ${message}`, () => report({ type: 'server-warning', server, warning, message }));
      for (const { tool, message } of problems)
        once(`${name}: ${tool}: ${message}`, () =>
          report({ type: 'tool-problem', server: name, tool, message }),
        );
    }
  };
}
