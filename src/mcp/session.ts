/** The protocol, over whatever transport: the SDK's client behind our own contract. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Fields, isFields } from '../../templates/check.ts';
import type { Connection, ConnectionEvents, ToolListing } from './connection.ts';
import { capabilitiesOf, listen } from './duties.ts';
import type { ServerInfo } from './features.ts';
import { createPatience } from './patience.ts';
import { type RawClient, requests } from './requests.ts';
import { serverFeatures } from './server-features.ts';
import { toolCalls } from './tool-calls.ts';
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

export interface Session extends Connection {
  /** The server has begun anew behind the connection: what it logs from is told again. */
  renew(): void;
}

export function openSession({ name, transport, events, startTimeout, ending }: SessionOptions): Session {
  const { duties = {}, onLog, logLevel = 'info' } = events;
  const client: RawClient = new Client(clientInfo, { capabilities: capabilitiesOf(duties) });
  const { send, ask, list } = requests(client, name, startTimeout);
  const capabilities = () => ({ ...client.getServerCapabilities() });
  client.onclose = () => events.onClosed(ending?.() ?? 'the connection was closed');
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.onToolsChanged());
  const patience = createPatience();
  const calls = toolCalls({ server: name, send, patience, elicit: duties.elicit, gone });
  listen(client, name, events, patience);

  async function open(): Promise<ServerInfo> {
    const version = agreedVersion(transport);
    await client.connect(transport, { timeout: startTimeout });
    tellLogLevel();
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

  /** A server that refuses the level logs what it likes; there is nothing to do about it. */
  function tellLogLevel(): void {
    if (onLog && capabilities().logging) void ask('logging/setLevel', { level: logLevel }).catch(() => {});
  }

  async function tools(): Promise<ToolListing> {
    if (!capabilities().tools) return { tools: [], problems: [] };
    const { items, missing } = await list('tools/list', 'tools');
    const { tools, problems, tasks } = readTools(items);
    calls.know(tools, runsTasks(capabilities()) ? tasks : new Set());
    return { tools, problems, ...(missing === undefined ? {} : { incomplete: missing }) };
  }

  /** Undefined where it is there. */
  function gone(error: unknown): string | undefined {
    if (client.transport && !(error instanceof McpError && error.code === ErrorCode.ConnectionClosed))
      return undefined;
    const why = ending?.();
    return `The server "${name}" ended during the call${why ? ` (${why})` : ''}. There is no result.`;
  }

  return {
    open,
    tools,
    call: calls.call,
    ...serverFeatures({ server: name, requests: { send, ask, list }, capabilities }),
    renew() {
      tellLogLevel();
      events.onRenewed?.();
    },
    async rootsChanged() {
      if (duties.roots) await client.sendRootsListChanged();
    },
    close: () => client.close(),
  };
}

/** A server that does not say so must be called plainly, whatever its tools say. */
function runsTasks({ tasks }: Fields): boolean {
  const requests = isFields(tasks) ? tasks.requests : undefined;
  const tools = isFields(requests) ? requests.tools : undefined;
  return isFields(tools) && tools.call !== undefined;
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
