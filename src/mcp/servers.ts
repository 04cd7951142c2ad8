/** What is known of a server before it is started. */
import type { ApprovalMode } from '../agent/approval.ts';
import type { Connection } from './connection.ts';

export const toolSchemas = ['original', 'simplified'] as const;
export type ToolSchemas = (typeof toolSchemas)[number];

/** What an entry of the config says besides how to reach the server. */
export interface ServerSettings {
  readonly name: string;
  /** Patterns over the server's own names of its tools (`*` stands for any characters); `deny` wins. Default: all are offered. */
  readonly tools?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  /** For this server's tools, where no rule of the user names them. */
  readonly approval?: ApprovalMode;
  /** Only a trusted server's hints may spare the user a question. */
  readonly trust?: boolean;
  /** How the model is shown its tools' schemas; default: as for all servers. */
  readonly toolSchemas?: ToolSchemas;
  /** Milliseconds for a call without a result or a sign of progress. */
  readonly timeout?: number;
  /** Folders that the server may be told of, as absolute paths. */
  readonly roots?: readonly string[];
  /** What of its entry is not used, and what to do instead. */
  readonly warnings?: readonly string[];
  /** What variables of the environment put into its entry, by their names: messages show the names instead. */
  readonly variables?: Readonly<Record<string, string>>;
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
  readonly auth?: ServerAuth;
}

/** How to get a token for a server that asks for one, as far as the server itself does not say. */
export interface ServerAuth {
  /** `authorization_code` (default): a person logs in, by `rawcall mcp login`. `client_credentials`: rawcall itself does. */
  readonly grant?: 'authorization_code' | 'client_credentials';
  /** Of a client that was registered by hand; an https address with a path is that of a client metadata document. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** As PEM: the client signs what it asks for, instead of sending a secret. */
  readonly privateKey?: string;
  /** Scopes to ask for, separated by blanks, instead of those that the server names. */
  readonly scope?: string;
  /** The one authorization server that may be sent the client's credentials. Default: the one that the server names. */
  readonly issuer?: string;
  /** Of the address on this machine that the browser comes back to. Default: any that is free. */
  readonly callbackPort?: number;
}

/** A server that cannot be started, and why; or that its config switches off. */
export interface UnusableServer {
  readonly name: string;
  readonly unusable: 'disabled' | 'failed';
  readonly reason: string;
}

export type McpServer = StdioServer | HttpServer | UnusableServer;

/** One within this process, under the same rules as any other; no config names it. */
export interface LocalServer extends ServerSettings {
  readonly open: () => Connection;
}
