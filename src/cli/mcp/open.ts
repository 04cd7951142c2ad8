/** The servers of the config and of the flags for a command that uses them by hand: all of them, or the one that is named. */
import { RawcallError } from '../../../parsers/error.ts';
import type { ServerFeatures } from '../../mcp/features.ts';
import { type Host, serverNames } from '../../mcp/host.ts';
import type { ServerStatus } from '../../mcp/managed-server.ts';
import type { McpServer } from '../../mcp/servers.ts';
import { nearest } from '../../nearest.ts';
import { openTools, readServers } from '../open-tools.ts';
import type { Context } from '../program.ts';
import { createReport } from '../report.ts';

/** Under the names by which they are known in a run. */
export async function configuredServers(context: Context): Promise<McpServer[]> {
  const servers = await readServers(context);
  const names = serverNames(servers);
  return servers.map((server, at) => ({ ...server, name: names[at]! }));
}

export interface OpenServer {
  readonly host: Host;
  readonly status: ServerStatus;
  readonly features: ServerFeatures;
}

/**
 * Starts one server and no other.
 *
 * @throws RawcallError `unknown_mcp_server`, `mcp_server_failed`
 */
export async function openServer(context: Context, name: string): Promise<OpenServer> {
  const server = named(await configuredServers(context), name);
  const host = await openTools([server], context.lifetime, () => {});
  const status = host.servers[0]!;
  const features = host.features(name);
  if (status.state === 'ready' && features) return { host, status, features };
  throw new RawcallError('mcp_server_failed', `MCP server ${name}: ${status.reason ?? status.state}`, {
    server: name,
  });
}

/** What asks `each` of all servers, or of the one that is named; a server that fails is told, and the others go on. */
export async function fromServers<Item>(
  context: Context,
  name: string | undefined,
  each: (features: ServerFeatures, server: string) => Promise<readonly Item[]>,
): Promise<Item[]> {
  if (name !== undefined) return [...(await each((await openServer(context, name)).features, name))];
  const report = createReport(context.values);
  const host = await openTools(await configuredServers(context), context.lifetime, report);
  const found: Item[] = [];
  for (const { name: server, state } of host.servers) {
    const features = state === 'ready' ? host.features(server) : undefined;
    if (!features) continue;
    try {
      found.push(...(await each(features, server)));
    } catch (error) {
      report({
        type: 'server-failed',
        server,
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return found;
}

/** @throws RawcallError `unknown_mcp_server` */
export function named<Server extends { readonly name: string }>(
  servers: readonly Server[],
  name: string,
): Server {
  const found = servers.find(server => server.name === name);
  if (found) return found;
  const known = servers.map(server => server.name);
  throw new RawcallError('unknown_mcp_server', `There is no MCP server "${name}". ${remedy(name, known)}`, {
    name,
  });
}

/** @throws RawcallError `not_offered`, naming what comes near */
export function notOffered(
  server: string,
  kind: 'tool' | 'prompt' | 'resource' | 'resource template',
  name: string,
  known: readonly string[],
): never {
  const message = `The server "${server}" offers no ${kind} "${name}". ${remedy(name, known)}`;
  throw new RawcallError('not_offered', message, { server, kind, name });
}

/**
 * Of a server of the run, by the name that it has there.
 *
 * @throws RawcallError `mcp_server_failed` for one that cannot be started at all
 */
export function featuresOf(host: Host, name: string): ServerFeatures {
  const features = host.features(name);
  if (features) return features;
  const { reason = 'it cannot be reached' } = named(host.servers, name);
  throw new RawcallError('mcp_server_failed', `MCP server ${name}: ${reason}`, { server: name });
}

const listed = 8;

function remedy(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'There are none.';
  const meant = nearest(name, known);
  const like = known.filter(one => one.toLowerCase().includes(name.toLowerCase())).slice(0, 3);
  if (meant || like.length > 0)
    return `Did you mean ${[...new Set([...(meant ? [meant] : []), ...like])].map(one => `"${one}"`).join(' or ')}?`;
  return `There is ${known.slice(0, listed).join(', ')}${known.length > listed ? ', …' : ''}.`;
}
