/** The commands as plain data, for what is written of them: completions of shells and the man page. */
import type { Argument, Command, Option } from 'commander';

export interface CommandNode {
  /** The words behind `rawcall` that lead to it; none for rawcall itself. */
  readonly path: readonly string[];
  readonly description: string;
  readonly flags: readonly Flag[];
  readonly arguments: readonly Value[];
  readonly commands: readonly CommandNode[];
}

export interface Flag {
  /** With their dashes, in the order in which they are shown. */
  readonly names: readonly string[];
  readonly description: string;
  /** Absent where it takes none. */
  readonly value?: Value;
}

export interface Value {
  readonly name: string;
  /** What it may be, as far as that is a list. */
  readonly choices: readonly string[];
  /** Whether it is a file or a folder. */
  readonly place: boolean;
  readonly optional: boolean;
  readonly variadic: boolean;
}

export function commandTree(command: Command, path: readonly string[] = []): CommandNode {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter(sub => command.commands.includes(sub));
  return {
    path,
    description: command.description(),
    flags: help.visibleOptions(command).map(flagOf),
    arguments: command.registeredArguments.map(argument => valueIn(argument.name(), argument)),
    commands: commands.map(sub => commandTree(sub, [...path, sub.name()])),
  };
}

/** It, and all below it. */
export function everyCommand(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(everyCommand)];
}

function flagOf(option: Option): Flag {
  const { short, long, flags, description, required, optional } = option;
  const names = [short, long].filter(name => name !== undefined);
  if (!required && !optional) return { names, description };
  const name = /[<[]([^.>\]]+)/.exec(flags)?.[1] ?? 'value';
  return { names, description, value: valueIn(name, option) };
}

function valueIn(
  name: string,
  { argChoices = [], required, variadic }: Pick<Argument | Option, 'argChoices' | 'required' | 'variadic'>,
): Value {
  return {
    name,
    choices: argChoices,
    place: argChoices.length === 0 && name.split('|').some(part => places.has(part)),
    optional: !required,
    variadic,
  };
}

/** What commands call a value that is one. */
const places = new Set<string>([
  ...['file', 'path', 'folder', 'place', 'dir', 'source'],
  ...['tasks', 'results', 'before', 'after'],
]);
