/** The tools that servers had when they were last asked: a first prompt that shows them need not wait for the servers' start. */
import type { ToolListing } from './connection.ts';
import type { HttpServer, StdioServer } from './servers.ts';

export interface KnownTools {
  /** Undefined where they are not known, or the server's entry or program is another one now. */
  read(server: StdioServer | HttpServer): ToolListing | undefined;
  keep(server: StdioServer | HttpServer, listing: ToolListing): void;
  /**
   * When servers whose tools are known are started, if no call asks for them before. Their tools are then listed anew, and differ
   * from what was known as they would after a notice of the server's own.
   */
  readonly startAfter: Promise<unknown>;
}
