/** The contract of a server that comes with rawcall. Types only. */
import type { JsonObject, ToolDefinition } from '../../../parsers/parser.ts';

export interface BuiltInServer {
  readonly name: string;
  readonly tools: readonly ToolDefinition[];
  /**
   * Makes the server ready for one client. `args` are what followed the name on the command line.
   *
   * @throws RawcallError `bad_mcp_server_arguments`
   */
  start(args: readonly string[]): RunningServer | Promise<RunningServer>;
}

/** A handler gives the result's text; a RawcallError that it throws is told to the model as the call's error. */
export type Handler = (args: JsonObject) => string | Promise<string>;

export interface RunningServer {
  /** One for each tool, by its name. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly resources?: Resources;
}

/** What the server offers to be read, besides its tools. */
export interface Resources {
  /** For example `note:///{+path}`. */
  readonly template: { readonly uriTemplate: string; readonly name: string; readonly mimeType: string };
  list(): Promise<readonly { readonly uri: string; readonly name: string; readonly mimeType: string }[]>;
  read(uri: string): Promise<{ readonly text: string; readonly mimeType: string }>;
}
