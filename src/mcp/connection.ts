/** The contract of one MCP server that we talk to, whatever carries the messages. Types only; the SDK stays behind it. */
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import type { ToolCallOptions, ToolResult } from '../tools.ts';
import type { HostDuties, LogLevel, ServerFeatures, ServerInfo, ServerLog } from './features.ts';

/** A connection lives once: a server that went away is reached by a new one. */
export interface Connection extends ServerFeatures {
  /**
   * Starts the server and shakes hands.
   *
   * @throws RawcallError `mcp_server_failed`
   */
  open(): Promise<ServerInfo>;
  /** Every page of the server's tools, under the server's own names. */
  tools(): Promise<ToolListing>;
  /** A tool's failure, a protocol error, a timeout and the server's end are results with `isError`; only an abort rejects. */
  call(tool: string, args: JsonObject, options?: CallOptions): Promise<ToolResult>;
  /** The roots that `duties` gives are others now. */
  rootsChanged(): Promise<void>;
  /** Ends the server and all that it started. */
  close(): Promise<void>;
}

/** What a server may tell of itself, and what we answer where it asks. */
export interface ConnectionEvents {
  /** The server says that its list of tools is another now. */
  readonly onToolsChanged: () => void;
  /** The server has begun anew behind the connection: it follows no resource any more, and its tools may be others. */
  readonly onRenewed?: () => void;
  /** The connection is gone, by `close` or by itself; `reason` says why, for people. */
  readonly onClosed: (reason: string) => void;
  readonly onWarning?: (warning: ServerWarning) => void;
  readonly onLog?: (log: ServerLog) => void;
  /** What the server is asked to log from; it may log more. Default `info`, where `onLog` is given. */
  readonly logLevel?: LogLevel;
  /** A resource that was subscribed to is another now. */
  readonly onResourceUpdated?: (uri: string) => void;
  readonly duties?: HostDuties;
}

/** What is wrong with a server that works all the same. */
export interface ServerWarning {
  readonly warning: 'unused_key' | 'stdout_noise' | 'list_incomplete';
  readonly message: string;
}

export interface ToolListing {
  readonly tools: readonly ToolDefinition[];
  /** Tools that cannot be offered, and parts of tools that were dropped. */
  readonly problems: readonly ToolProblem[];
  /** Why the server has more tools than these. */
  readonly incomplete?: string;
}

export interface ToolProblem {
  readonly tool: string;
  readonly message: string;
}

export interface CallOptions extends ToolCallOptions {
  /** Milliseconds without a result or a sign of progress. */
  readonly timeout?: number;
}
