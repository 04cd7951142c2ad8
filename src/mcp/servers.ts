/** What is known of a server before it is started. Types only. */

export interface StdioServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the few variables that every server gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server that cannot be started, and why; or that its config switches off. */
export interface UnusableServer {
  readonly name: string;
  readonly unusable: 'disabled' | 'failed';
  readonly reason: string;
}

export type McpServer = StdioServer | UnusableServer;
