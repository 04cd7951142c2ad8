/** A connection to a server that we start ourselves, and what to tell when it does not start. */
import { existsSync } from 'node:fs';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { RawcallError } from '../../parsers/error.ts';
import type { Connection, ConnectionEvents } from './connection.ts';
import type { ServerInfo } from './features.ts';
import { hide } from './hidden.ts';
import type { ServerProcess } from './server-process.ts';
import type { StdioServer } from './servers.ts';
import { openSession } from './session.ts';
import { type StdioTransport, stdioTransport } from './stdio-transport.ts';

export interface StdioOptions {
  /** Milliseconds for the handshake and for each page of the list of tools. */
  readonly startTimeout: number;
}

export function connectStdio(
  server: StdioServer,
  events: ConnectionEvents,
  process: ServerProcess,
  { startTimeout }: StdioOptions,
): Connection {
  const transport = stdioTransport(process);
  const shown = (text: string) => hide(text, server);
  const ending = () => process.ending && shown(withLastWords(process.ending, transport));
  transport.onnoise = line =>
    events.onWarning?.({
      warning: 'stdout_noise',
      message: shown(
        `it writes to stdout what is no message: "${line.slice(0, 200)}". That is skipped; a server's log belongs on stderr.`,
      ),
    });
  const session = openSession({ name: server.name, transport, events, startTimeout, ending });

  async function open(): Promise<ServerInfo> {
    try {
      return await session.open();
    } catch (error) {
      // What is sent to a server that has just died fails before the last of its words has come.
      await process.dying();
      const reason = shown(failure(error, server, process, transport, startTimeout));
      await transport.close();
      throw new RawcallError('mcp_server_failed', reason, { server: server.name }, error);
    }
  }
  return {
    ...session,
    open,
    async close() {
      await session.close();
      // A session that was never opened ends nothing.
      await process.end();
    },
  };
}

function failure(
  error: unknown,
  { command, cwd }: StdioServer,
  process: ServerProcess,
  transport: StdioTransport,
  timeout: number,
): string {
  const { code } = error as { code?: unknown };
  if (code === 'ENOENT' && cwd !== undefined && !existsSync(cwd))
    return `its folder "${cwd}" does not exist. Correct its "cwd".`;
  if (code === 'ENOENT') {
    const hint = /\s/.test(command) ? ' Its arguments belong into a list of their own.' : '';
    return `the command "${command}" was not found. Install it, or give its full path.${hint}`;
  }
  if (code === 'EACCES')
    return `the command "${command}" may not be run. Make it executable, or correct its path.`;
  // The client ends a server that has taken too long, which is not how the server ended.
  if (error instanceof McpError && /timed out/i.test(error.message))
    return withLastWords(
      `it gave no answer within ${timeout / 1000} s, so it may be no MCP server`,
      transport,
    );
  if (process.ending) return withLastWords(`it ended before it was ready, with ${process.ending}`, transport);
  return withLastWords(error instanceof Error ? error.message : String(error), transport);
}

function withLastWords(reason: string, transport: StdioTransport): string {
  const words = transport.lastWords();
  return words.length > 0 ? `${reason}. Its last words: ${words.join(' | ')}` : reason;
}
