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

  add('test <name>', 'start one server and say what it is and offers', [...servers, 'json'], mcp).action(
    async (name: string, _options, command: Command) => {
      const { testServer } = await import('./list.ts');
      done(await testServer(name, contextOf(command)));
    },
  );

  add('resources [server]', 'the resources and the templates of them', [...servers, 'json'], mcp).action(
    async (name: string | undefined, _options, command: Command) => {
      const { listResources } = await import('./resources.ts');
      done(await listResources(name, contextOf(command)));
    },
  );

  add('read <server> <uri>', 'a resource on stdout', [...servers, 'json'], mcp)
    .option('--output <file>', 'write it there instead')
    .action(async (server: string, uri: string, _options, command: Command) => {
      const { readResource } = await import('./resources.ts');
      done(await readResource(server, uri, contextOf(command)));
    });

  add('prompts [server]', 'the prompts and their arguments', [...servers, 'json'], mcp).action(
    async (name: string | undefined, _options, command: Command) => {
      const { listPrompts } = await import('./prompts.ts');
      done(await listPrompts(name, contextOf(command)));
    },
  );

  add(
    'prompt <server> <name> [arguments...]',
    'the messages of a prompt: NAME=VALUE…',
    [...servers, 'json'],
    mcp,
  ).action(async (server: string, name: string, words: string[], _options, command: Command) => {
    const { getPrompt } = await import('./prompts.ts');
    done(await getPrompt(server, name, words, contextOf(command)));
  });

  add(
    'call <server> <tool> [arguments...]',
    'one call of a tool: NAME=VALUE…, or one JSON object',
    [...servers, 'json'],
    mcp,
  ).action(async (server: string, tool: string, words: string[], _options, command: Command) => {
    const { callTool } = await import('./call.ts');
    done(await callTool(server, tool, words, contextOf(command)));
  });

  add(
    'add <name> [command...]',
    'put a server into the config: NAME -- COMMAND ARGS…, or NAME --url URL',
    ['mcpConfig'],
    mcp,
  )
    .option('--url <url>', 'of a server that is reached over HTTP')
    .option('--header <name=value>', 'sent to it with every request (repeatable)', gather)
    .option('--env <name=value>', 'a variable for the command (repeatable)', gather)
    .option('--force', 'replace a server of that name')
    .action(async (name: string, words: string[], _options, command: Command) => {
      const { addServer } = await import('./edit.ts');
      done(await addServer(name, words, contextOf(command)));
    });

  add('remove <name>', 'take a server out of the config', ['mcpConfig'], mcp).action(
    async (name: string, _options, command: Command) => {
      const { removeServer } = await import('./edit.ts');
      done(await removeServer(name, contextOf(command)));
    },
  );

  add('login <name>', 'log in to a server that is reached over HTTP', ['mcpConfig', 'json'], mcp)
    .option('--open', 'open the address in a browser, besides printing it')
    .option(
      '--scope <scopes>',
      'the rights to ask for, separated by blanks (default: those that the server names)',
    )
    .action(async (name: string, _options, command: Command) => {
      const { logInTo } = await import('./login.ts');
      done(await logInTo(name, contextOf(command)));
    });

  add('logout <name>', "revoke a login's tokens and delete them", ['mcpConfig', 'json'], mcp).action(
    async (name: string, _options, command: Command) => {
      const { logOutOf } = await import('./login.ts');
      done(await logOutOf(name, contextOf(command)));
    },
  );

  add(
    'import [source] [names...]',
    'list the servers of desktop apps and editors, or copy some of one app or file into the config',
    ['mcpConfig', 'json'],
    mcp,
  )
    .option('--all', 'copy all of them')
    .option('--force', 'replace servers of the same names')
    .action(async (source: string | undefined, names: string[], _options, command: Command) => {
      const { importServers } = await import('./import.ts');
      done(await importServers(source, names, contextOf(command)));
    });
}

function gather(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
