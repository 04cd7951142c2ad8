/**
 * Requests as we send them: raw, because the SDK's own schemas refuse a whole list for one item that is wrong, and with errors
 * that name the server.
 */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Notification, Request, Result } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { RawcallError } from '../../parsers/error.ts';
import { type Fields, isFields } from '../../templates/check.ts';

/** Not narrowed to the SDK's lists of requests, so that raw ones can be sent. */
export type RawClient = Client<Request, Notification, Result>;

export interface Requests {
  /** As the server answers. Errors are the SDK's; an abort rejects with its reason. */
  send(method: string, params: Fields, options: RequestOptions): Promise<Fields>;
  /** @throws RawcallError `mcp_request_failed` */
  ask(method: string, params: Fields, signal?: AbortSignal): Promise<Fields>;
  /** Every page of a list; `key` is where a page has its items. Fails only where the first page does. */
  list(method: string, key: string, signal?: AbortSignal): Promise<Listed>;
}

export interface Listed {
  readonly items: readonly unknown[];
  /** Why there are more items than these. */
  readonly missing?: string;
}

const anything = z.looseObject({});
/** Far more than a server with reason has; one whose list never ends must not hold its start up. */
const maxPages = 200;

export function requests(client: RawClient, server: string, timeout: number): Requests {
  async function send(method: string, params: Fields, options: RequestOptions): Promise<Fields> {
    const { signal, ...rest } = options;
    signal?.throwIfAborted();
    // The SDK never takes its listener off, and would cancel what is long over; so each request has a signal of its own.
    const cancel = new AbortController();
    const onAbort = () => cancel.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    try {
      return await client.request({ method, params }, anything, { ...rest, signal: cancel.signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async function ask(method: string, params: Fields, signal?: AbortSignal): Promise<Fields> {
    try {
      return await send(method, params, { timeout, ...(signal ? { signal } : {}) });
    } catch (error) {
      signal?.throwIfAborted();
      const message = `The server "${server}" did not answer ${method}: ${messageOf(error)}`;
      throw new RawcallError('mcp_request_failed', message, { server, method, ...codeOf(error) }, error);
    }
  }

  async function list(method: string, key: string, signal?: AbortSignal): Promise<Listed> {
    const items: unknown[] = [];
    const cursors = new Set<string>();
    let cursor: string | undefined;
    for (let page = 1; page <= maxPages; page++) {
      let result: Fields;
      try {
        result = await ask(method, cursor === undefined ? {} : { cursor }, signal);
      } catch (error) {
        if (page === 1 || signal?.aborted) throw error;
        return { items, missing: `page ${page} of the list could not be had. ${messageOf(error)}` };
      }
      const found = result[key];
      if (Array.isArray(found)) items.push(...found);
      else if (page === 1) {
        const message = `The server "${server}" answered ${method} without a list of ${key}.`;
        throw new RawcallError('mcp_request_failed', message, { server, method });
      }
      cursor = typeof result.nextCursor === 'string' ? result.nextCursor : undefined;
      // A cursor that comes again would go round for ever.
      if (cursor === undefined || cursors.has(cursor)) return { items };
      cursors.add(cursor);
    }
    return { items, missing: `the list has more than ${maxPages} pages` };
  }

  return { send, ask, list };
}

/** Without the SDK's prefix: the code is for programs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^MCP error -?\d+: /, '') : String(error);
}

function codeOf(error: unknown): { code?: number } {
  return isFields(error) && typeof error.code === 'number' ? { code: error.code } : {};
}
