/** `rawcall completion`: a script by which a shell completes the commands, flags and values of this version. */
import type { Command } from 'commander';
import { readCatalog } from '../../catalog/catalog.ts';
import { formats } from '../../format.ts';
import { builtInServers } from '../../mcp/servers/serve.ts';
import { type CommandNode, commandTree, type Value } from '../command-tree.ts';
import { shippedSets } from '../eval/task-sets.ts';
import { exitCodes } from '../exit.ts';
import { writeOut } from '../output.ts';
import { catalogFile } from '../package.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { zshCompletion } from './zsh.ts';

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
export type Shell = keyof typeof writers;

export async function printCompletion(shell: Shell, program: Command): Promise<number> {
  const { models } = await readCatalog(catalogFile);
  const catalog = models.map(model => model.name);
  await writeOut(writers[shell](withSuggestions(commandTree(program), suggestions(catalog))));
  return exitCodes.answered;
}

/** What can stand for a value of which commander knows no choices, since others than these may be right, too. */
function suggestions(catalog: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return {
    '--format': [...formats.map(format => format.name), 'jinja'],
    '--model': catalog,
    'models info name': catalog,
    'models pull model': catalog,
    'eval tasks': shippedSets(),
    'mcp-server name': builtInServers.map(server => server.name),
  };
}

function withSuggestions(
  node: CommandNode,
  suggested: Readonly<Record<string, readonly string[]>>,
): CommandNode {
  const fill = (name: string, value: Value): Value =>
    value.choices.length > 0 ? value : { ...value, choices: suggested[name] ?? [] };
  return {
    ...node,
    flags: node.flags.map(flag =>
      flag.value ? { ...flag, value: fill(flag.names.at(-1)!, flag.value) } : flag,
    ),
    arguments: node.arguments.map(value => fill([...node.path, value.name].join(' '), value)),
    commands: node.commands.map(command => withSuggestions(command, suggested)),
  };
}
