/** Completions of fish: a rule for each word that may stand somewhere, under the command that it belongs to. */
import { type CommandNode, everyCommand, type Flag, type Value } from '../command-tree.ts';

export function fishCompletion(tree: CommandNode): string {
  const commands = everyCommand(tree);
  const names = commands.flatMap(({ path }) => (path.length > 0 ? [quoted(path.join(' '))] : []));
  return `# Completions of rawcall for fish. In ~/.config/fish/config.fish: rawcall completion fish | source
function __rawcall_at
    set -l command ''
    for word in (commandline -opc)[2..]
        set -l longer (string trim -- "$command $word")
        if contains -- $longer ${names.join(' ')}
            set command $longer
        end
    end
    test "$command" = "$argv[1]"
end
complete -c rawcall -f
${commands.flatMap(rules).join('\n')}
`;
}

function rules(node: CommandNode): string[] {
  const rule = `complete -c rawcall -n ${quoted(`__rawcall_at ${quoted(node.path.join(' '))}`)}`;
  const [first] = node.arguments;
  return [
    ...node.commands.map(({ path, description }) => `${rule} -a ${path.at(-1)} -d ${quoted(description)}`),
    ...(first ? argumentRules(first).map(part => `${rule} ${part}`) : []),
    ...node.flags.map(flag => `${rule} ${flagRule(flag)}`),
  ];
}

function argumentRules({ choices, place }: Value): string[] {
  return [...(choices.length > 0 ? [`-a ${quoted(choices.join(' '))}`] : []), ...(place ? ['-F'] : [])];
}

function flagRule({ names, description, value }: Flag): string {
  const words = names.map(name => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...words, ...(value ? [valueRule(value)] : []), `-d ${quoted(description)}`].join(' ');
}

function valueRule({ choices, place, optional }: Value): string {
  const from = choices.length > 0 ? ` -a ${quoted(choices.join(' '))}` : '';
  // With nothing behind the flag it may be whole, so that fish must not wait for more.
  if (optional) return place ? '-F' : from.trim();
  return place ? `-r -F${from}` : `-x${from}`;
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
