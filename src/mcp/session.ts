/** The protocol, over whatever transport: the SDK's client behind our own contract. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../../parsers/parser.ts';
import type { ToolResult } from '../tools.ts';
import type { CallOptions, Connection, ConnectionEvents, ToolListing } from './connection.ts';
import { resultText } from './content.ts';
import { capabilitiesOf, listen } from './duties.ts';
import type { ServerInfo } from './features.ts';
import { messageOf, type RawClient, requests } from './requests.ts';
import { serverFeatures } from './server-features.ts';
import { readTools } from './tool-listing.ts';

export const clientInfo = { name: 'rawcall', version: '0.1.0' };

export interface SessionOptions {
  readonly name: string;
  readonly transport: Transport;
  readonly events: ConnectionEvents;
  /** Milliseconds for the handshake and for each request but calls. */
  readonly startTimeout: number;
  /** Why the transport ended, for people; it is asked when it has. */
  readonly ending?: () => string | undefined;
}

const defaultCallTimeout = 60_000;
/** A server that reports progress for ever is stopped in the end. */
const totalOverTimeout = 30;

export function openSession({ name, transport, events, startTimeout, ending }: SessionOptions): Connection {
  const { duties = {}, onLog, logLevel = 'info' } = events;
  const client: RawClient = new Client(clientInfo, { capabilities: capabilitiesOf(duties) });
  const { send, ask, list } = requests(client, name, startTimeout);
  const capabilities = () => ({ ...client.getServerCapabilities() });
  client.onclose = () => events.onClosed(ending?.() ?? 'the connection was closed');
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.onToolsChanged());
  listen(client, name, events);

  async function open(): Promise<ServerInfo> {
    const version = agreedVersion(transport);
    await client.connect(transport, { timeout: startTimeout });
    // A server that refuses the level logs what it likes; there is nothing to do about it.
    if (onLog && capabilities().logging) void ask('logging/setLevel', { level: logLevel }).catch(() => {});
    const server = client.getServerVersion();
    const instructions = client.getInstructions();
    return {
      name: server?.name ?? name,
      version: server?.version ?? '',
      protocolVersion: version(),
      ...(instructions === undefined ? {} : { instructions }),
      capabilities: Object.keys(capabilities()),
    };
  }

  async function tools(): Promise<ToolListing> {
    if (!capabilities().tools) return { tools: [], problems: [] };
    const { items, missing } = await list('tools/list', 'tools');
    const { tools, problems } = readTools(items);
    const partly = missing === undefined ? [] : [{ tool: '(more)', message: `Not all are here: ${missing}` }];
    return { tools, problems: [...problems, ...partly] };
  }

  async function call(tool: string, args: JsonObject, options: CallOptions = {}): Promise<ToolResult> {
    const { signal, timeout = defaultCallTimeout, onProgress } = options;
    try {
      const result = await send(
        'tools/call',
        { name: tool, arguments: args },
        {
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
          ...(signal ? { signal } : {}),
        },
      );
      return resultText(result);
    } catch (error) {
      signal?.throwIfAborted();
      return { content: failure(error, timeout), isError: true };
    }
  }

  function failure(error: unknown, timeout: number): string {
    const why = ending?.();
    if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
      return `The tool gave no result within ${timeout / 1000} s and was cancelled.`;
    if (!client.transport || (error instanceof McpError && error.code === ErrorCode.ConnectionClosed))
      return `The server "${name}" ended during the call${why ? ` (${why})` : ''}. There is no result.`;
    return messageOf(error);
  }

  return {
    open,
    tools,
    call,
    ...serverFeatures({ server: name, requests: { send, ask, list }, capabilities }),
    async rootsChanged() {
      if (duties.roots) await client.sendRootsListChanged();
    },
    close: () => client.close(),
  };
}

/** The client tells the version to its transport alone. */
function agreedVersion(transport: Transport): () => string {
  let agreed = '';
  const tell = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = version => {
    agreed = version;
    tell?.(version);
  };
  return () => agreed;
}
