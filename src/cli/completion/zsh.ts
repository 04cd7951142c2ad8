/** Completions of zsh: a function for each command, in which _arguments reads the flags, and one below it the rest. */
import { type CommandNode, everyCommand, type Flag, type Value } from '../command-tree.ts';

export function zshCompletion(tree: CommandNode): string {
  return `#compdef rawcall
# Completions of rawcall for zsh. In ~/.zshrc, behind compinit: eval "$(rawcall completion zsh)"
# One of the words, or a file.
_rawcall_either() { _alternative "names:name:($*)" 'files:file:_files' }
${everyCommand(tree).map(completer).join('\n')}
# As a file of the function path it is run at the first completion, else it announces itself.
if [[ \${funcstack[1]} == _rawcall ]]; then _rawcall "$@"; else compdef _rawcall rawcall; fi
`;
}

function completer(node: CommandNode): string {
  const flags = node.flags.flatMap(flagSpecs);
  if (node.commands.length === 0)
    return inFunction(node, [call([...flags, ...node.arguments.map(argumentSpec)])]);
  const below = node.commands.map(({ path, description }) => quoted(`${path.at(-1)}:${description}`));
  const others = node.arguments.map(value => `; ${action(value)}`).join('');
  return inFunction(node, [
    'local curcontext="$curcontext" state line',
    `local -a commands=(${below.join(' ')})`,
    `${call([...flags, quoted('1:command:->command'), quoted('*::argument:->argument')], '-C')} && return`,
    'case $state in',
    `  command) _describe -t commands command commands${others} ;;`,
    '  argument)',
    '    case $line[1] in',
    ...node.commands.map(({ path }) => `      ${path.at(-1)}) ${functionName(path)} ;;`),
    '    esac ;;',
    'esac',
  ]);
}

const functionName = (path: readonly string[]) => ['_rawcall', ...path].join('_');

function inFunction({ path }: CommandNode, lines: readonly string[]): string {
  return [`${functionName(path)}() {`, ...lines.map(line => `  ${line}`), '}'].join('\n');
}

function call(specs: readonly string[], ...how: readonly string[]): string {
  return [['_arguments', ...how].join(' '), ...specs].join(' \\\n    ');
}

/** Flags may be repeated, since some of them mean something each time. */
function flagSpecs({ names, description, value }: Flag): string[] {
  const said = `[${escaped(description)}]`;
  if (!value) return names.map(name => quoted(`*${name}${said}`));
  const colons = value.optional ? '::' : ':';
  return names.map(name => quoted(`*${name}=${said}${colons}${escaped(value.name)}:${action(value)}`));
}

function argumentSpec(value: Value): string {
  const place = value.variadic ? '*' : '';
  return quoted(
    `${place}:${value.optional && !value.variadic ? ':' : ''}${escaped(value.name)}:${action(value)}`,
  );
}

function action({ name, choices, place }: Value): string {
  if (choices.length === 0) return place ? '_files' : `_message ${name}`;
  const words = choices.map(escaped).join(' ');
  return place ? ` _rawcall_either ${words}` : `(${words})`;
}

/** In a specification a colon ends a part, and a bracket a description. */
const escaped = (text: string) => text.replace(/[\\:[\]]/g, '\\$&');
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
