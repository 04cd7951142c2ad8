/** The protocol, over whatever transport: the SDK's client behind our own contract. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { JsonObject } from '../../parsers/parser.ts';
import type { ToolResult } from '../tools.ts';
import type { CallOptions, Connection, ConnectionEvents, ToolListing } from './connection.ts';
import { resultText } from './content.ts';
import { readTools } from './tool-listing.ts';

export const clientInfo = { name: 'rawcall', version: '0.1.0' };

export interface SessionOptions {
  readonly name: string;
  readonly transport: Transport;
  readonly events: ConnectionEvents;
  /** Milliseconds for the handshake and for each page of a list. */
  readonly startTimeout: number;
  /** Why the transport ended, for people; it is asked when it has. */
  readonly ending?: () => string | undefined;
}

// Looser than the SDK's schemas on purpose: see tool-listing.ts and content.ts.
const listResult = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const callResult = z.looseObject({});

const maxPages = 1000;
const defaultCallTimeout = 60_000;
/** A server that reports progress for ever is stopped in the end. */
const totalOverTimeout = 30;

export function openSession({ name, transport, events, startTimeout, ending }: SessionOptions): Connection {
  const client = new Client(clientInfo, { capabilities: {} });
  client.onclose = () => events.onClosed(ending?.() ?? 'the connection was closed');
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.onToolsChanged());

  async function tools(): Promise<ToolListing> {
    if (!client.getServerCapabilities()?.tools) return { tools: [], problems: [] };
    const listed: unknown[] = [];
    const cursors = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const params = cursor === undefined ? {} : { cursor };
      // The raw request: `listTools` compiles every output schema and throws at the first that is wrong.
      const result = await client.request({ method: 'tools/list', params }, listResult, {
        timeout: startTimeout,
      });
      listed.push(...result.tools);
      cursor = result.nextCursor;
      // A cursor that comes again would go round for ever.
      if (cursor === undefined || cursors.has(cursor)) break;
      cursors.add(cursor);
    }
    return readTools(listed);
  }

  async function call(tool: string, args: JsonObject, options: CallOptions = {}): Promise<ToolResult> {
    const { signal, timeout = defaultCallTimeout, onProgress } = options;
    signal?.throwIfAborted();
    // The SDK never takes its listener off, and would cancel calls that are long over; so each call has a signal of its own.
    const cancel = new AbortController();
    const onAbort = () => cancel.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    const requestOptions: RequestOptions = {
      timeout,
      maxTotalTimeout: timeout * totalOverTimeout,
      resetTimeoutOnProgress: true,
      // Asks the server for progress, which is what resets the timeout.
      onprogress: ({ progress, total, message }) =>
        onProgress?.({
          progress,
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { message }),
        }),
      signal: cancel.signal,
    };
    try {
      const params = { name: tool, arguments: args };
      return resultText(await client.request({ method: 'tools/call', params }, callResult, requestOptions));
    } catch (error) {
      signal?.throwIfAborted();
      return { content: failure(error, timeout), isError: true };
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  function failure(error: unknown, timeout: number): string {
    const why = ending?.();
    if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
      return `The tool gave no result within ${timeout / 1000} s and was cancelled.`;
    if (!client.transport || (error instanceof McpError && error.code === ErrorCode.ConnectionClosed))
      return `The server "${name}" ended during the call${why ? ` (${why})` : ''}. There is no result.`;
    return error instanceof Error ? error.message : String(error);
  }

  return {
    open: () => client.connect(transport, { timeout: startTimeout }),
    tools,
    call,
    close: () => client.close(),
  };
}
