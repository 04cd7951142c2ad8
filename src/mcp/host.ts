/** Many MCP servers as one source of tools for the agent. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import type { ToolSource } from '../tools.ts';
import type { Connection, ConnectionEvents, ToolProgress } from './connection.ts';
import { lazyConnection } from './lazy.ts';
import { type ManagedServer, manageServer, type ServerStatus } from './managed-server.ts';
import { modelNames } from './names.ts';
import type { McpServer, StdioServer } from './servers.ts';

export interface Host extends ToolSource {
  /** Resolves when every server is ready or has failed. */
  readonly ready: Promise<void>;
  /** In the order of the config. */
  readonly servers: readonly ServerStatus[];
  /** Whose tool a name stands for. */
  origin(name: string): ToolOrigin | undefined;
  /** Ends the servers and all that they started. */
  close(): Promise<void>;
}

export interface ToolOrigin {
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
}

export interface HostOptions {
  /** What stands for the command `rawcall`: this very program, as a command and its first arguments. */
  readonly self?: readonly string[];
  /** Milliseconds for a server to start. Default 60 s: `npx` may have to load it first. */
  readonly startTimeout?: number;
  /** Milliseconds for a call without a result or a sign of progress. Default 60 s. */
  readonly callTimeout?: number;
  /** A server's state or tools are others now. */
  readonly onChange?: (servers: readonly ServerStatus[]) => void;
  readonly onProgress?: (name: string, progress: ToolProgress) => void;
  /** How to reach a server. Default: over stdio. */
  readonly connect?: (server: StdioServer, events: ConnectionEvents) => Connection;
}

/** Returns at once; the servers start side by side. */
export function openHost(given: readonly McpServer[], options: HostOptions = {}): Host {
  const { startTimeout = 60_000, callTimeout = 60_000, onChange, onProgress } = options;
  const stdio = { startTimeout, ...(options.self ? { self: options.self } : {}) };
  const overStdio = (server: StdioServer, events: ConnectionEvents) =>
    lazyConnection(server.name, async () => {
      const { connectStdio } = await import('./stdio.ts');
      return connectStdio(server, events, stdio);
    });
  const connect = options.connect ?? overStdio;

  let tools: readonly ToolDefinition[] = [];
  let current = new Map<string, Route>();
  // A turn may still call a tool by the name that it had when the turn began.
  const former = new Map<string, Route>();

  const names = serverNames(given);
  const members: Member[] = given.map((server, at) => {
    const name = names[at]!;
    if ('unusable' in server) return { status: unusableStatus({ ...server, name }) };
    const named = { ...server, name };
    return manageServer({ name, connect: events => connect(named, events), onChange: update });
  });
  const managed = () => members.filter(isManaged);
  const servers = () => members.map(({ status }) => status);
  const ready = Promise.all(managed().map(server => server.start())).then(() => {});

  function update(): void {
    for (const [name, route] of current) former.set(name, route);
    const routes = managed().flatMap(server =>
      server.status.tools.map(definition => ({ server, definition, tool: definition.name })),
    );
    const given = modelNames(routes.map(({ server, tool }) => ({ server: server.status.name, tool })));
    current = new Map(routes.map((route, at) => [given[at]!, route]));
    tools = routes.map(({ definition }, at) => ({ ...definition, name: given[at]! }));
    onChange?.(servers());
  }

  return {
    ready,
    get tools() {
      return tools;
    },
    get servers() {
      return servers();
    },
    origin(name) {
      const route = current.get(name);
      return route && { server: route.server.status.name, tool: route.tool };
    },
    async call(name, args, { signal } = {}) {
      signal?.throwIfAborted();
      const route = current.get(name) ?? former.get(name);
      if (!route) return { content: `There is no tool "${name}".`, isError: true };
      return route.server.call(route.tool, args, {
        timeout: callTimeout,
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress: progress => onProgress(name, progress) } : {}),
      });
    },
    async close() {
      await Promise.all(managed().map(server => server.close()));
    },
  };
}

interface Route {
  readonly server: ManagedServer;
  readonly definition: ToolDefinition;
  readonly tool: string;
}

type Member = ManagedServer | { readonly status: ServerStatus };

const isManaged = (member: Member): member is ManagedServer => 'call' in member;

function unusableStatus(server: Extract<McpServer, { unusable: string }>): ServerStatus {
  const state = server.unusable === 'disabled' ? 'closed' : 'failed';
  return { name: server.name, state, reason: server.reason, tools: [], problems: [] };
}

/** Two servers of one name (one from a file, one from the command line) are told apart by a number. */
function serverNames(servers: readonly { readonly name: string }[]): string[] {
  const taken = new Set<string>();
  return servers.map(({ name }) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name}_${count}`;
    taken.add(unique);
    return unique;
  });
}
