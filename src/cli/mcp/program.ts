/** The commands of `rawcall mcp`: what servers there are, what they offer, and the config that names them. */
import type { Command } from 'commander';
import type { Context } from '../program.ts';
import type { SettingName } from '../settings.ts';

/** What the program lends to a group of its commands. */
export interface Group {
  readonly add: (
    usage: string,
    description: string,
    names: readonly SettingName[],
    parent?: Command,
  ) => Command;
  readonly contextOf: <Own>(command: Command) => Context<Own>;
  readonly done: (code: number) => void;
}

const servers = ['mcpConfig', 'mcpCommand', 'mcpArgs'] as const;

export function addMcpCommands(program: Command, { add, contextOf, done }: Group): void {
  const mcp = program
    .command('mcp')
    .description('MCP servers: list, test, add, import, and use them by hand');

  add(
    'list',
    'the servers of the config and of the flags, each with its state',
    [...servers, 'json'],
    mcp,
  ).action(async (_options, command: Command) => {
    const { listServers } = await import('./list.ts');
    done(await listServers(contextOf(command)));
  });
}
