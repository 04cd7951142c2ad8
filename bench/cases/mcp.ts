/** A report about MCP servers: they are played by the misbehaving server, and our host is asked what it made of them. */
import type { JsonObject } from '../../parsers/parser.ts';
import { parseMcpConfig } from '../../src/mcp/config.ts';
import { type Host, openHost } from '../../src/mcp/host.ts';
import type { McpServer } from '../../src/mcp/servers.ts';
import type { ToolResult } from '../../src/tools.ts';
import {
  type Logged,
  misbehaving,
  misbehavingOverHttp,
  newLog,
  readLog,
} from '../../test/mcp/misbehaving.ts';
import { cleanupWrongs, screenWrongs } from './mcp-program.ts';
import { type CaseServer, scriptOf } from './mcp-server.ts';
import { type McpExpected, observedWrongs } from './mcp-wrongs.ts';
import { caseValue } from './values.ts';

export interface McpCase {
  readonly id: string;
  readonly format: 'mcp-stdio' | 'mcp-http' | 'config';
  readonly input: {
    readonly server?: CaseServer;
    readonly servers?: Readonly<Record<string, CaseServer | CaseServer['tools']>>;
    readonly config?: unknown;
    readonly environment?: Readonly<Record<string, string>>;
    readonly call?: readonly [string, JsonObject];
    readonly do?: readonly string[];
    readonly options?: { readonly timeoutMs?: number; readonly startTimeoutMs?: number };
    /** Where it is not the library's host. */
    readonly host?: string;
  };
  readonly expected: McpExpected;
}

/** What the host and the servers have to say for themselves when all was done. */
export interface Observed {
  readonly host: Host;
  /** As the host was given them. */
  readonly servers: readonly McpServer[];
  readonly readyMs: number;
  readonly toolsFirst: readonly string[];
  readonly results: readonly ToolResult[];
  readonly log: readonly Logged[];
}

export async function mcpWrongs(line: string): Promise<string[]> {
  const one = caseValue(line) as unknown as McpCase;
  const { input, expected } = one;
  if (input.host !== undefined) return screenWrongs(one);
  if (expected.processesLeft !== undefined) return cleanupWrongs(one);

  const log = newLog();
  const closing: Disposable[] = [];
  const servers: McpServer[] = [];
  for (const [name, server] of serversOf(one)) servers.push(await playing(one, name, server, log, closing));
  const { timeoutMs, startTimeoutMs } = input.options ?? {};
  const start = performance.now();
  const host = openHost(servers, {
    ...(timeoutMs === undefined ? {} : { callTimeout: timeoutMs }),
    ...(startTimeoutMs === undefined ? {} : { startTimeout: startTimeoutMs }),
  });
  try {
    await host.ready;
    const readyMs = performance.now() - start;
    const toolsFirst = host.tools.map(({ name }) => name);
    const results = await done(one, host, log);
    return await observedWrongs(expected, { host, servers, readyMs, toolsFirst, results, log: readLog(log) });
  } catch (error) {
    return [`thrown: ${(error as Error).message}`];
  } finally {
    await host.close();
    for (const each of closing) each[Symbol.dispose]();
  }
}

/** What the case asks the host to do once it is ready. */
async function done({ input, expected }: McpCase, host: Host, log: string): Promise<ToolResult[]> {
  const { server, call } = input;
  const calls = input.do?.filter(step => step.startsWith('call ')).map(step => [step.slice(5), {}] as const);
  const results: ToolResult[] = [];
  const wanted = calls ?? (call ? [call] : []);
  for (const [name, args] of server?.killedBetweenCalls ? [...wanted, ...wanted] : wanted) {
    results.push(await host.call(name, args));
    if (server?.killedBetweenCalls && results.length === 1) await killed(host, log);
  }
  if (server?.notifyTimes) await host.call(host.tools[0]?.name ?? '', {});
  const later = expected.toolsLater ?? expected.tools;
  if (later) await until(() => host.tools.length === later.length);
  // A last notice may still bring another reading.
  if (server?.notifyTimes) await new Promise(resolve => setTimeout(resolve, 1000));
  return results;
}

async function killed(host: Host, log: string): Promise<void> {
  const pid = readLog(log).find(({ start }) => start !== undefined)?.start;
  if (pid === undefined) return;
  process.kill(pid, 'SIGKILL');
  await until(() => host.servers[0]?.state !== 'ready');
}

function serversOf({ input }: McpCase): [string, CaseServer | McpServer][] {
  const named = Object.entries(input.servers ?? {}).map(([name, given]): [string, CaseServer] => [
    name,
    { name, ...(Array.isArray(given) ? { tools: given } : (given as CaseServer)) },
  ]);
  if (input.server) return [[input.server.name ?? 'server', input.server]];
  if (input.config === undefined) return named;
  const known = new Map(named);
  const read = parseMcpConfig(JSON.stringify(input.config), 'mcp.json', input.environment ?? {});
  return read.map(server => [
    server.name,
    'unusable' in server ? server : (known.get(server.name) ?? { name: server.name, tools: ['work'] }),
  ]);
}

async function playing(
  { format }: McpCase,
  name: string,
  server: CaseServer | McpServer,
  log: string,
  closing: Disposable[],
): Promise<McpServer> {
  if ('unusable' in server) return server;
  if ('command' in server && server.command !== undefined)
    return { name, command: server.command, args: [], env: {} };
  const script = scriptOf(server as CaseServer, log);
  if (format !== 'mcp-http') return misbehaving(script, name);
  const http = await misbehavingOverHttp(script, name);
  closing.push(http);
  return http.server;
}

/** At most two minutes; what then is not so is told by the comparison. */
export async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; waited < 120_000 && !holds(); waited += 50)
    await new Promise(resolve => setTimeout(resolve, 50));
}
