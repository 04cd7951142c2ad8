/** The tools that a task is asked with, and the names that task files have for them. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import { type Host, type HostOptions, openHost } from '../mcp/host.ts';
import type { LocalServer, McpServer } from '../mcp/servers.ts';
import { stubConnection } from './stub-tools.ts';
import type { Stub } from './task.ts';

export interface TaskTools {
  readonly host: Host;
  /** By the server's own name, `SERVER/NAME`, or the name that the model sees. */
  find(name: string): ToolDefinition | undefined;
  /** A tool as task files and results name it: by its server's own name, with the server's before it where two have that name. */
  nameOf(shown: string): string;
  /** Whether a call of it may leave a trace that later calls could see. */
  leavesTraces(shown: string): boolean;
}

const stubServer = 'stubs';

export async function openTaskTools(
  servers: readonly McpServer[],
  stubs: readonly Stub[],
  options: HostOptions = {},
): Promise<TaskTools> {
  const local: LocalServer = { name: stubServer, trust: true, open: () => stubConnection(stubs) };
  const host = openHost([...servers, ...(stubs.length > 0 ? [local] : [])], options);
  await host.ready;
  const stubbed = stubs.length > 0 ? host.servers.at(-1)?.name : undefined;

  const shown = () =>
    host.tools.flatMap(definition => {
      const owner = host.origin(definition.name);
      return owner ? [{ definition, ...owner }] : [];
    });

  function nameOf(name: string): string {
    const owner = host.origin(name);
    if (!owner) return name;
    const shared = shown().filter(({ tool }) => tool === owner.tool).length > 1;
    return shared ? `${owner.server}/${owner.tool}` : owner.tool;
  }

  return {
    host,
    nameOf,
    find(name) {
      const all = shown();
      const found =
        all.find(one => one.tool === name || `${one.server}/${one.tool}` === name) ??
        all.find(({ definition }) => definition.name === name);
      return found?.definition;
    },
    leavesTraces(name) {
      const tool = host.tools.find(one => one.name === name);
      return host.origin(name)?.server !== stubbed && tool?.annotations?.readOnlyHint !== true;
    },
  };
}
