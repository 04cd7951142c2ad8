/** Many MCP servers as one source of tools for the agent. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import type { ToolSource } from '../tools.ts';
import type { Connection, ConnectionEvents } from './connection.ts';
import type { HostDuties, LogLevel, ServerFeatures, ServerLog } from './features.ts';
import type { KnownTools } from './known-tools.ts';
import { lazyConnection } from './lazy.ts';
import {
  type ManagedOptions,
  type ManagedServer,
  manageServer,
  type ServerStatus,
} from './managed-server.ts';
import { openNames } from './names.ts';
import type { Authorize } from './oauth/by-person.ts';
import type { LoginStore } from './oauth/login-store.ts';
import { rootOf } from './roots.ts';
import { startProcess } from './server-process.ts';
import { settingsOf } from './server-settings.ts';
import type { HttpServer, LocalServer, McpServer, ServerSettings, StdioServer } from './servers.ts';
import { toolFilter } from './tool-filter.ts';

export interface Host extends ToolSource {
  /** Resolves when every server is ready, has failed, or takes longer than `startTimeout`, or its tools are known. */
  readonly ready: Promise<void>;
  /** As `ready`, of those too whose tools were known: they are started now. */
  settled(): Promise<void>;
  /** In the order of the config. */
  readonly servers: readonly ServerStatus[];
  /** Whose tool a name stands for, or stood for before that tool went away. */
  origin(name: string): ToolOrigin | undefined;
  /** What a server of this name offers besides tools; asking starts it again where it has died. */
  features(server: string): ServerFeatures | undefined;
  /** The roots that the duties give are others now: the servers are told. */
  rootsChanged(): Promise<void>;
  /** Ends the servers and all that they started. */
  close(): Promise<void>;
}

export interface ToolOrigin {
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  readonly settings: ServerSettings;
}

export interface HostOptions {
  /** What stands for the command `rawcall`: this very program, as a command and its first arguments. */
  readonly self?: readonly string[];
  /** Milliseconds that others wait for a server to start. It goes on, and its tools join. Default 30 s. */
  readonly startTimeout?: number;
  /** Milliseconds after which a server that is still starting is given up. Default 5 min: `npx` may have to load it first. */
  readonly startLimit?: number;
  /** Milliseconds for a call without a result or a sign of progress. Default 60 s. */
  readonly callTimeout?: number;
  /** A server's state or tools are others now. */
  readonly onChange?: (servers: readonly ServerStatus[]) => void;
  /** What servers may ask of us. Default: nothing. */
  readonly duties?: HostDuties;
  readonly onLog?: (log: ServerLog) => void;
  /** What servers are asked to log from, with `onLog`. Default `info`. */
  readonly logLevel?: LogLevel;
  readonly onResourceUpdated?: (server: string, uri: string) => void;
  /** Brings a person to the page where a server's login is. Absent: the server fails, and says how to log in. */
  readonly authorize?: Authorize;
  /** Where logins are kept. Default: the system's keyring, or files. */
  readonly logins?: LoginStore;
  /** Default: nothing is known of a server before it is started. */
  readonly knownTools?: KnownTools;
  /** How to reach a server. Default: as its entry says. */
  readonly connect?: (server: StdioServer | HttpServer, events: ConnectionEvents) => Connection;
}

/** Returns at once; the servers start side by side. */
export function openHost(given: readonly (McpServer | LocalServer)[], options: HostOptions = {}): Host {
  const { startTimeout = 30_000, callTimeout = 60_000, onChange, onResourceUpdated } = options;
  const { duties, onLog, logLevel, knownTools } = options;
  const connect = options.connect ?? connector(options);

  const toolNames = openNames();
  let offered: readonly ToolDefinition[] | undefined;

  const names = serverNames(given);
  const settings = new Map(given.map((server, at) => [names[at]!, settingsOf(server)]));
  const members: Member[] = given.map((server, at) => {
    const name = names[at]!;
    if ('unusable' in server) return { status: unusableStatus({ ...server, name }) };
    const named = { ...server, name };
    const told = {
      duties: server.roots ? { ...duties, roots: () => (server.roots ?? []).map(rootOf) } : { ...duties },
      ...(onLog ? { onLog } : {}),
      ...(logLevel ? { logLevel } : {}),
      ...(onResourceUpdated ? { onResourceUpdated: (uri: string) => onResourceUpdated(name, uri) } : {}),
    };
    return manageServer({
      name,
      filter: toolFilter(server.tools),
      startTimeout,
      warnings: (server.warnings ?? []).map(message => ({ warning: 'unused_key', message })),
      connect: events => ('open' in named ? named.open() : connect(named, { ...events, ...told })),
      onChange: update,
      ...(knownTools && !('open' in server) ? kept(knownTools, server) : {}),
    });
  });
  const managed = () => members.filter(isManaged);
  const servers = () => members.map(({ status }) => status);
  const ready = Promise.all(managed().map(server => server.start())).then(() => {});

  function update(): void {
    offered = undefined;
    onChange?.(servers());
  }

  /** Names are given when they are first needed: until all servers are ready nobody asks, so that it is of no matter which is first. */
  function tools(): readonly ToolDefinition[] {
    if (offered) return offered;
    const listed = servers().flatMap(({ name: server, tools }) =>
      tools.map(definition => ({ server, tool: definition.name, definition })),
    );
    const given = toolNames.give(listed);
    offered = listed.map(({ definition }, at) => ({ ...definition, name: given[at]! }));
    return offered;
  }

  function origin(name: string): ToolOrigin | undefined {
    tools();
    const owner = toolNames.owner(name);
    return owner && { ...owner, settings: settings.get(owner.server)! };
  }

  return {
    ready,
    async settled() {
      await Promise.all(managed().map(server => server.settled()));
    },
    get tools() {
      return tools();
    },
    get servers() {
      return servers();
    },
    origin,
    features: server => managed().find(({ status }) => status.name === server)?.features,
    async rootsChanged() {
      await Promise.all(managed().map(server => server.rootsChanged()));
    },
    async call(name, args, { signal, onProgress, argumentsText } = {}) {
      signal?.throwIfAborted();
      const owner = origin(name);
      const server = managed().find(({ status }) => status.name === owner?.server);
      if (!owner || !server) return { content: `There is no tool "${name}".`, isError: true };
      return server.call(owner.tool, args, {
        timeout: owner.settings.timeout ?? callTimeout,
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
        ...(argumentsText === undefined ? {} : { argumentsText }),
      });
    },
    async close() {
      await Promise.all(managed().map(server => server.close()));
    },
  };
}

function kept(
  { read, keep, startAfter }: KnownTools,
  server: StdioServer | HttpServer,
): Pick<ManagedOptions, 'known' | 'onListed'> {
  const listing = read(server);
  return {
    ...(listing ? { known: { listing, startAfter } } : {}),
    onListed: now => keep(server, now),
  };
}

/** Each transport's code is loaded when a server needs it. */
function connector(options: HostOptions): NonNullable<HostOptions['connect']> {
  const { startLimit = 300_000, self, authorize, logins } = options;
  const limits = { startTimeout: startLimit };
  return (server, events) =>
    lazyConnection(server.name, async () => {
      if ('url' in server) {
        const { openAuthorized } = await import('./oauth/open-authorized.ts');
        const asking = { ...(authorize ? { authorize } : {}), ...(logins ? { logins } : {}) };
        return openAuthorized(server, events, { ...limits, ...asking });
      }
      // It starts while the SDK is loaded.
      const process = startProcess(server, self);
      const { connectStdio } = await import('./stdio.ts');
      return connectStdio(server, events, process, limits);
    });
}

type Member = ManagedServer | { readonly status: ServerStatus };

const isManaged = (member: Member): member is ManagedServer => 'call' in member;

function unusableStatus(server: Extract<McpServer, { unusable: string }>): ServerStatus {
  const state = server.unusable === 'disabled' ? 'closed' : 'failed';
  return { name: server.name, state, reason: server.reason, tools: [], problems: [], warnings: [] };
}

/** Two servers of one name (one from a file, one from the command line) are told apart by a number. */
export function serverNames(servers: readonly { readonly name: string }[]): string[] {
  const taken = new Set<string>();
  return servers.map(({ name }) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name}_${count}`;
    taken.add(unique);
    return unique;
  });
}
