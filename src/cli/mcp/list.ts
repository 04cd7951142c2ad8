/** `rawcall mcp list` and `rawcall mcp test`: how the servers fare. */

import { jsonLine } from '../../json.ts';
import type { ServerStatus } from '../../mcp/managed-server.ts';
import type { McpServer } from '../../mcp/servers.ts';
import { exitCodes } from '../exit.ts';
import { openTools } from '../open-tools.ts';
import { visible, writeOut } from '../output.ts';
import type { Context } from '../program.ts';
import { textTable } from '../text-table.ts';
import { configuredServers, named } from './open.ts';

export async function listServers(context: Context): Promise<number> {
  const servers = await configuredServers(context);
  const host = await openTools(servers, context.lifetime, () => {});
  const listed = host.servers.map(({ name, state, tools, reason }, at) => ({
    name,
    state,
    ...transportOf(servers[at]!),
    tools: tools.length,
    ...(reason === undefined ? {} : { reason }),
  }));
  if (context.values.json) for (const server of listed) await writeOut(`${jsonLine(server)}\n`);
  else await writeOut(listed.length === 0 ? 'No servers.\n' : serverTable(listed));
  return exitCodes.answered;
}

export interface ServerRow {
  readonly name: string;
  readonly state: string;
  readonly transport?: string;
  readonly tools: number;
  readonly reason?: string;
}

export function serverTable(rows: readonly ServerRow[]): string {
  const withTransport = rows.some(({ transport }) => transport !== undefined);
  return textTable(
    ['server', 'state', ...(withTransport ? ['transport'] : []), 'tools', 'reason'],
    rows.map(({ name, state, transport, tools, reason = '' }) => [
      visible(name),
      state,
      ...(withTransport ? [transport ?? '-'] : []),
      String(tools),
      visible(reason.replaceAll('\n', ' ')),
    ]),
  );
}

/** Of a server that cannot be reached, the config says nothing more. */
function transportOf(server: McpServer): { readonly transport?: string } {
  if ('unusable' in server) return {};
  return { transport: 'command' in server ? 'stdio' : (server.transport ?? 'http') };
}

export async function testServer(name: string, context: Context): Promise<number> {
  const server = named(await configuredServers(context), name);
  const started = performance.now();
  const host = await openTools([server], context.lifetime, () => {});
  const milliseconds = Math.round(performance.now() - started);
  const status = host.servers[0]!;
  if (context.values.json) await writeOut(`${jsonLine({ ...told(status), milliseconds })}\n`);
  else await writeOut(`${page(status, milliseconds)}\n`);
  return status.state === 'ready' ? exitCodes.answered : exitCodes.error;
}

function told({ name, state, reason, info, tools, problems, warnings }: ServerStatus) {
  return {
    name,
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(info ? { info } : {}),
    tools: tools.map(tool => tool.name),
    problems,
    warnings,
  };
}

function page(status: ServerStatus, milliseconds: number): string {
  const { name, state, reason, info, tools, problems, warnings } = status;
  const lines: (readonly [string, string])[] = [
    ['server', name],
    ['state', `${state}${reason === undefined ? '' : `: ${reason}`}`],
    ...(info
      ? ([
          ['version', `${info.name} ${info.version}`],
          ['protocol', info.protocolVersion],
          ['offers', info.capabilities.join(', ') || 'nothing'],
          ...(info.instructions ? [['instructions', `${info.instructions.length} characters`] as const] : []),
        ] as const)
      : []),
    ['tools', tools.length === 0 ? '0' : `${tools.length}: ${tools.map(tool => tool.name).join(', ')}`],
    ...problems.map(({ tool, message }) => ['problem', `${tool}: ${message}`] as const),
    ...warnings.map(({ message }) => ['warning', message] as const),
    ['time', `${milliseconds} ms`],
  ];
  return lines.map(([title, text]) => `${title.padEnd(14)}${visible(text)}`).join('\n');
}
