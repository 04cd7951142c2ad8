/** What is known of a server before it is started. Types only. */
import type { ApprovalMode } from '../agent/approval.ts';

/** What an entry of the config says besides how to reach the server. */
export interface ServerSettings {
  readonly name: string;
  /** Patterns over the server's own names of its tools (`*` stands for any characters); `deny` wins. Default: all are offered. */
  readonly tools?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  /** For this server's tools, where no rule of the user names them. */
  readonly approval?: ApprovalMode;
  /** Only a trusted server's hints may spare the user a question. */
  readonly trust?: boolean;
  /** Milliseconds for a call without a result or a sign of progress. */
  readonly timeout?: number;
  /** Folders that the server may be told of, as absolute paths. */
  readonly roots?: readonly string[];
}

export interface StdioServer extends ServerSettings {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the few variables that every server gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface HttpServer extends ServerSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Default `http`, which falls back to the older `sse` where the server knows no other. */
  readonly transport?: 'http' | 'sse';
}

/** A server that cannot be started, and why; or that its config switches off. */
export interface UnusableServer {
  readonly name: string;
  readonly unusable: 'disabled' | 'failed';
  readonly reason: string;
}

export type McpServer = StdioServer | UnusableServer;
