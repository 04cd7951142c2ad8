/** rawcall(1) as roff, from commander's own tree. Options that several commands take stand once, and each command names them. */
import { type CommandNode, everyCommand, type Flag, type Value } from '../src/cli/command-tree.ts';

/** What no command takes as a flag alone. */
export const variables: Readonly<Record<string, string>> = {
  RAWCALL_CACHE: 'the folder for what is kept for the next start, and can be made again',
  RAWCALL_DATA: 'the folder for recorded runs and logins',
  RAWCALL_STORE: 'the folder for models',
  RAWCALL_CONVERTER: "llama.cpp's convert_hf_to_gguf.py",
  RAWCALL_QUANTIZER: 'llama-quantize',
  RAWCALL_ENDPOINT_KEY: 'the bearer key of --endpoint',
  RAWCALL_API_KEY: 'the key that rawcall serve asks of clients',
  RAWCALL_REASONING_CONTENT: '0: rawcall serve keeps thoughts back',
  RAWCALL_KEYRING: "off: logins are kept in a file, and not in the system's keyring",
  RAWCALL_DEBUG: '1: errors that nobody foresaw are told with their stack',
};

export function manPage(tree: CommandNode, version: string): string {
  const commands = everyCommand(tree).slice(1);
  const shared = sharedFlags(commands);
  const parts = [
    `.TH RAWCALL 1 "" "rawcall ${version}" "User Commands"`,
    section('NAME', ['rawcall \\- drives local GGUF models by prompts of its own and calls MCP tools']),
    section('SYNOPSIS', ['.B rawcall', '.I command', '[\\fIoptions\\fR]']),
    section('DESCRIPTION', [
      text(tree.description),
      'The commands below say what each of them takes.',
      'Any option may also stand in a rawcall.json or .rawcallrc, under its name in camelCase; what is typed wins.',
    ]),
    section(
      'COMMANDS',
      commands.filter(({ description }) => description !== '').flatMap(node => commandLines(node, shared)),
    ),
    section('OPTIONS OF SEVERAL COMMANDS', [...shared.values()].flatMap(flagLines)),
    section(
      'ENVIRONMENT',
      Object.entries(variables).flatMap(([name, says]) => ['.TP', `.B ${name}`, text(says)]),
    ),
    section('FILES', [
      '.TP',
      '.B rawcall.json\\fR, \\fB.rawcallrc',
      'Options and MCP servers (mcpServers); JSON with comments, found upwards from the working folder.',
    ]),
    section(
      'EXIT STATUS',
      exits.flatMap(([code, says]) => ['.TP', `.B ${code}`, text(says)]),
    ),
  ];
  return `${parts.join('\n')}\n`;
}

const exits = [
  ['0', 'answered'],
  ['1', 'an error'],
  ['2', 'a mistake in what was typed'],
  ['3', 'stopped by a limit'],
  ['130', 'interrupted'],
] as const;

/** By what they say: a name may mean another thing to another command. */
function sharedFlags(commands: readonly CommandNode[]): Map<string, Flag> {
  const seen = new Map<string, Flag>();
  const shared = new Map<string, Flag>();
  for (const flag of commands.flatMap(({ flags }) => flags)) {
    const key = keyOf(flag);
    if (seen.has(key)) shared.set(key, flag);
    seen.set(key, flag);
  }
  return shared;
}

const keyOf = ({ names, description }: Flag) => [...names, description].join('\n');

function commandLines(
  { path, description, arguments: values, flags, commands }: CommandNode,
  shared: ReadonlyMap<string, Flag>,
): string[] {
  const own = flags.filter(flag => !shared.has(keyOf(flag)));
  const others = flags
    .filter(flag => shared.has(keyOf(flag)))
    .map(({ names }) => `\\fB${text(names.at(-1)!)}\\fR`);
  return [
    `.SS rawcall ${[...path, ...values.map(valueText)].map(text).join(' ')}`,
    text(description),
    ...own.flatMap(flagLines),
    ...(commands.length > 0 || others.length === 0 ? [] : ['.PP', `Also: ${others.join(', ')}`]),
  ];
}

function flagLines({ names, description, value }: Flag): string[] {
  const shown = names.map(name => `\\fB${text(name)}\\fR`).join(', ');
  const choices = value && value.choices.length > 0 ? ` (${value.choices.join(', ')})` : '';
  return ['.TP', `${shown}${value ? ` ${text(valueText(value))}` : ''}`, text(description + choices)];
}

function valueText({ name, optional, variadic }: Value): string {
  const dots = variadic ? '...' : '';
  return optional ? `[${name}${dots}]` : `<${name}${dots}>`;
}

function section(title: string, lines: readonly string[]): string {
  return [`.SH ${title.includes(' ') ? `"${title}"` : title}`, ...lines].join('\n');
}

/** A minus is a minus, no line begins with what roff takes for a request, and what is not ASCII goes by its number. */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
    .replace(/[^\n -~]/gu, character => `\\[u${hex(character)}]`);
}

const hex = (character: string) => character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
