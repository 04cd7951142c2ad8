/** The contract of one MCP server that we talk to, whatever carries the messages. Types only; the SDK stays behind it. */
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import type { ToolResult } from '../tools.ts';

/** A connection lives once: a server that went away is reached by a new one. */
export interface Connection {
  /**
   * Starts the server and shakes hands.
   *
   * @throws RawcallError `mcp_server_failed`
   */
  open(): Promise<void>;
  /** Every page of the server's tools, under the server's own names. */
  tools(): Promise<ToolListing>;
  /** A tool's failure, a protocol error, a timeout and the server's end are results with `isError`; only an abort rejects. */
  call(tool: string, args: JsonObject, options?: CallOptions): Promise<ToolResult>;
  /** Ends the server and all that it started. */
  close(): Promise<void>;
}

export interface ConnectionEvents {
  /** The server says that its list of tools is another now. */
  readonly onToolsChanged: () => void;
  /** The connection is gone, by `close` or by itself; `reason` says why, for people. */
  readonly onClosed: (reason: string) => void;
}

export interface ToolListing {
  readonly tools: readonly ToolDefinition[];
  /** Tools that cannot be offered, and parts of tools that were dropped. */
  readonly problems: readonly ToolProblem[];
}

export interface ToolProblem {
  readonly tool: string;
  readonly message: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds without a result or a sign of progress. */
  readonly timeout?: number;
  readonly onProgress?: (progress: ToolProgress) => void;
}

export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}
