/** One server with its state: it is started, its tools are kept up to date, and it is started again when it has died. */
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import type { ToolResult } from '../tools.ts';
import type { CallOptions, Connection, ConnectionEvents, ToolProblem } from './connection.ts';
import { oneAtATime, unlessAborted } from './waiting.ts';

export type ServerState = 'starting' | 'ready' | 'failed' | 'closed';

export interface ServerStatus {
  readonly name: string;
  readonly state: ServerState;
  /** Why it failed or was closed. */
  readonly reason?: string;
  /** Its tools under its own names. Kept while it is down, because a call starts it again. */
  readonly tools: readonly ToolDefinition[];
  readonly problems: readonly ToolProblem[];
}

export interface ManagedServer {
  readonly status: ServerStatus;
  /** Never rejects: what went wrong is the status. */
  start(): Promise<void>;
  call(tool: string, args: JsonObject, options: CallOptions): Promise<ToolResult>;
  close(): Promise<void>;
}

export interface ManagedOptions {
  readonly name: string;
  readonly connect: (events: ConnectionEvents) => Connection;
  /** The state or the tools are others now. */
  readonly onChange: () => void;
}

export function manageServer({ name, connect, onChange }: ManagedOptions): ManagedServer {
  let status: ServerStatus = { name, state: 'starting', tools: [], problems: [] };
  let connection: Connection | undefined;
  let starting: Promise<void> | undefined;
  let closed = false;

  function become(change: Partial<ServerStatus>): void {
    const { reason: _past, ...rest } = status;
    status = { ...rest, ...change };
    onChange();
  }

  /** Calls that come while it starts wait for the same start. */
  function start(): Promise<void> {
    starting ??= begin().finally(() => {
      starting = undefined;
    });
    return starting;
  }

  async function begin(): Promise<void> {
    if (closed) return;
    if (status.state !== 'starting') become({ state: 'starting' });
    let open = true;
    let changed = false;
    const current = connect({
      onToolsChanged: () => {
        changed = true;
        if (status.state === 'ready') void refresh();
      },
      onClosed: reason => {
        open = false;
        if (connection === current && status.state === 'ready') become({ state: 'failed', reason });
      },
    });
    connection = current;
    const refresh = oneAtATime(async () => {
      const listing = await current.tools();
      if (connection === current && status.state === 'ready') become(listing);
    });
    try {
      await current.open();
      const listing = await current.tools();
      if (closed) return;
      if (!open) throw new Error('it ended while it listed its tools');
      become({ state: 'ready', ...listing });
      // The list that was just read may be older than a notice that came meanwhile.
      if (changed) void refresh();
    } catch (error) {
      await current.close();
      if (!closed) become({ state: 'failed', reason: messageOf(error) });
    }
  }

  async function call(tool: string, args: JsonObject, options: CallOptions): Promise<ToolResult> {
    // Once for each call: a server that dies at every start is not started for ever.
    if (status.state !== 'ready') await unlessAborted(start(), options.signal);
    options.signal?.throwIfAborted();
    if (status.state === 'ready' && connection) return connection.call(tool, args, options);
    const why = status.reason === undefined ? '' : `: ${status.reason}`;
    return { content: `The server "${name}" is not running${why}`, isError: true };
  }

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
    call,
    close,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
