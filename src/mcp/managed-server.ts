/** One server with its state: it is started, its tools are kept up to date, and it is started again when it has died. */
import { RawcallError } from '../../parsers/error.ts';
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import type { ToolResult } from '../tools.ts';
import type {
  CallOptions,
  Connection,
  ConnectionEvents,
  ServerWarning,
  ToolListing,
  ToolProblem,
} from './connection.ts';
import type { ServerFeatures, ServerInfo } from './features.ts';
import type { ToolFilter } from './tool-filter.ts';
import { oneAtATime, settledWithin, unlessAborted } from './waiting.ts';

export type ServerState = 'starting' | 'ready' | 'failed' | 'closed';

export interface ServerStatus {
  readonly name: string;
  readonly state: ServerState;
  /** Why it failed or was closed; of one that is starting, that it takes long. */
  readonly reason?: string;
  /** From the first handshake on; of the last one. */
  readonly info?: ServerInfo;
  /** Those of its tools that are offered, under its own names. Kept while it is down, because a call starts it again. */
  readonly tools: readonly ToolDefinition[];
  readonly problems: readonly ToolProblem[];
  readonly warnings: readonly ServerWarning[];
}

export interface ManagedServer {
  readonly status: ServerStatus;
  /** Resolves when it is ready or has failed, or takes so long that nobody should wait. What went wrong is the status. */
  start(): Promise<void>;
  /** As `start`, of one that is starting, or is to be started though its tools are known. */
  settled(): Promise<void>;
  call(tool: string, args: JsonObject, options: CallOptions): Promise<ToolResult>;
  /** Each starts the server again where it has died. */
  readonly features: ServerFeatures;
  rootsChanged(): Promise<void>;
  close(): Promise<void>;
}

export interface ManagedOptions {
  readonly name: string;
  readonly filter: ToolFilter;
  /** Milliseconds that others wait for its start; it goes on afterwards. */
  readonly startTimeout: number;
  /** Of its entry. */
  readonly warnings: readonly ServerWarning[];
  readonly connect: (
    events: Pick<ConnectionEvents, 'onToolsChanged' | 'onRenewed' | 'onClosed' | 'onWarning'>,
  ) => Connection;
  /** The state or the tools are others now. */
  readonly onChange: () => void;
  readonly known?: {
    /** What it listed some time ago, which stands until it lists anew. */
    readonly listing: ToolListing;
    /** When it is started, if nothing asks for it before. */
    readonly startAfter: Promise<unknown>;
  };
  /** What it lists, each time. */
  readonly onListed?: (listing: ToolListing) => void;
}

export function manageServer(options: ManagedOptions): ManagedServer {
  const { name, filter, startTimeout, connect, onChange } = options;
  let status: ServerStatus = {
    name,
    state: 'starting',
    tools: [],
    problems: [],
    warnings: options.warnings,
  };
  let connection: Connection | undefined;
  let starting: Promise<void> | undefined;
  let closed = false;
  /** Whether it waits to be started, its tools being known. */
  let resting = options.known;
  /** Resources that somebody follows; a server that starts anew knows of none. */
  const followed = new Set<string>();

  function become(change: Partial<ServerStatus>): void {
    const { reason: _past, ...rest } = status;
    status = { ...rest, ...change };
    onChange();
  }

  /** Once for each kind: what comes again at the next start is no news. */
  function warn(given: ServerWarning): void {
    if (status.warnings.some(({ warning }) => warning === given.warning)) return;
    status = { ...status, warnings: [...status.warnings, given] };
    onChange();
  }

  async function start(): Promise<void> {
    if (!resting) return run();
    become(offered(resting.listing));
    const wake = () => resting && run();
    void resting.startAfter.then(wake, wake);
  }

  /** Calls that come while it starts wait for the same start. */
  async function run(): Promise<void> {
    resting = undefined;
    starting ??= begin().finally(() => {
      starting = undefined;
    });
    if (await settledWithin(starting, startTimeout)) return;
    const reason = `it is not ready after ${startTimeout / 1000} s. It goes on starting; its tools join when it is`;
    if (status.state === 'starting' && status.reason !== reason) become({ reason });
  }

  async function begin(): Promise<void> {
    if (closed) return;
    if (status.state !== 'starting') become({ state: 'starting' });
    let open = true;
    let changed = false;
    const onToolsChanged = () => {
      changed = true;
      if (status.state === 'ready') void refresh();
    };
    const current = connect({
      onToolsChanged,
      onRenewed: () => {
        follow(current);
        onToolsChanged();
      },
      onClosed: reason => {
        open = false;
        if (connection === current && status.state === 'ready') become({ state: 'failed', reason });
      },
      onWarning: warn,
    });
    connection = current;
    const refresh = oneAtATime(async () => {
      const listing = await listed(current);
      if (connection === current && status.state === 'ready') become(listing);
    });
    try {
      const info = await current.open();
      const listing = await listed(current);
      if (closed) return;
      if (!open) throw new Error('it ended while it listed its tools');
      become({ state: 'ready', info, ...listing });
      follow(current);
      // The list that was just read may be older than a notice that came meanwhile.
      if (changed) void refresh();
    } catch (error) {
      await current.close();
      if (!closed) become({ state: 'failed', reason: messageOf(error) });
    }
  }

  /** A resource that is gone by now has no changes to tell of. */
  function follow(one: Connection): void {
    for (const uri of followed) void one.subscribe(uri).catch(() => {});
  }

  async function listed(one: Connection) {
    const listing = await one.tools();
    options.onListed?.(listing);
    return offered(listing);
  }

  /** What is wrong with a list is of that list alone. */
  function offered(listing: ToolListing): Pick<ServerStatus, 'tools' | 'problems' | 'warnings'> {
    const { tools, problems } = filter.apply(listing);
    const others = status.warnings.filter(({ warning }) => warning !== 'list_incomplete');
    const { incomplete } = listing;
    if (incomplete === undefined) return { tools, problems, warnings: others };
    return { tools, problems, warnings: [...others, { warning: 'list_incomplete', message: incomplete }] };
  }

  /** The connection, after a new start where there was none: one for each call, since a server may die at every start. */
  async function running(signal: AbortSignal | undefined): Promise<Connection | undefined> {
    if (status.state !== 'ready') await unlessAborted(run(), signal);
    signal?.throwIfAborted();
    return status.state === 'ready' ? connection : undefined;
  }

  const notRunning = () =>
    `The server "${name}" is not running${status.reason === undefined ? '' : `: ${status.reason}`}`;

  async function call(tool: string, args: JsonObject, options: CallOptions): Promise<ToolResult> {
    if (!filter.allows(tool)) {
      const content = `The tool "${tool}" of the server "${name}" is switched off by the "tools" of its entry.`;
      return { content, isError: true };
    }
    const current = await running(options.signal);
    return current ? current.call(tool, args, options) : { content: notRunning(), isError: true };
  }

  async function ask<T>(request: (features: ServerFeatures) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const current = await running(signal);
    if (current) return request(current);
    throw new RawcallError('mcp_request_failed', notRunning(), { server: name });
  }

  const features: ServerFeatures = {
    resources: signal => ask(one => one.resources(signal), signal),
    readResource: (uri, signal) => ask(one => one.readResource(uri, signal), signal),
    async subscribe(uri) {
      await ask(one => one.subscribe(uri));
      followed.add(uri);
    },
    async unsubscribe(uri) {
      followed.delete(uri);
      await ask(one => one.unsubscribe(uri));
    },
    prompts: signal => ask(one => one.prompts(signal), signal),
    prompt: (prompt, args, signal) => ask(one => one.prompt(prompt, args, signal), signal),
    complete: (target, argument, value, context) =>
      ask(one => one.complete(target, argument, value, context)),
  };

  async function close(): Promise<void> {
    closed = true;
    const last = connection;
    connection = undefined;
    // Why it failed is still worth knowing afterwards.
    if (status.state !== 'failed') become({ state: 'closed', reason: 'closed by rawcall' });
    await last?.close();
    await starting;
  }

  return {
    get status() {
      return status;
    },
    start,
    settled: async () => (status.state === 'starting' ? run() : undefined),
    call,
    features,
    // A server that starts later asks for them anew.
    rootsChanged: async () => (status.state === 'ready' ? connection?.rootsChanged() : undefined),
    close,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
