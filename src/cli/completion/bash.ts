/** Completions of bash, 3.2 too: a function that finds the command among the words, and then what may stand at the cursor. */
import { type CommandNode, everyCommand, type Value } from '../command-tree.ts';

export function bashCompletion(tree: CommandNode): string {
  const commands = everyCommand(tree);
  const names = commands.filter(({ path }) => path.length > 0).map(({ path }) => `'${path.join(' ')}'`);
  const values = commands.flatMap(({ path, flags }) =>
    flags.flatMap(({ names, value }) =>
      value && !value.optional
        ? names.map(name => [[...path, name].join(' '), completeValue(value)] as const)
        : [],
    ),
  );
  const places = commands.map(node => [node.path.join(' '), completeArgument(node)] as const);
  const flags = commands.map(
    ({ path, flags }) => [path.join(' '), fromWords(flags.flatMap(({ names }) => names))] as const,
  );
  return `# Completions of rawcall for bash. In ~/.bashrc: eval "$(rawcall completion bash)"
_rawcall() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command= index
  # In "--flag=value" the sign is a word of its own.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${command:+$command }\${COMP_WORDS[index]}" in
      ${names.join('|')}) command="\${command:+$command }\${COMP_WORDS[index]}" ;;
    esac
  done
  COMPREPLY=()
  case "$command $before" in
${cases(values, '; return')}
  esac
  if [[ $word == -* ]]; then
    case "$command" in
${cases(flags)}
    esac
    return
  fi
  case "$command" in
${cases(places)}
  esac
}
complete -F _rawcall rawcall
`;
}

/** One line for all that are completed alike. */
function cases(steps: readonly (readonly [word: string, step: string])[], end = ''): string {
  const alike = new Map<string, string[]>();
  for (const [word, step] of steps) alike.set(step, [...(alike.get(step) ?? []), `'${word}'`]);
  return [...alike].map(([step, words]) => `    ${words.join('|')}) ${step}${end} ;;`).join('\n');
}

function completeArgument({ commands, arguments: [first] }: CommandNode): string {
  const words = [...commands.map(({ path }) => path.at(-1)!), ...(first?.choices ?? [])];
  const steps = [
    ...(words.length > 0 ? [fromWords(words)] : []),
    ...(first?.place ? [fromPlaces(words)] : []),
  ];
  return steps.join('; ') || ':';
}

function completeValue({ choices, place }: Value): string {
  if (place) return [...(choices.length > 0 ? [fromWords(choices)] : []), fromPlaces(choices)].join('; ');
  return choices.length > 0 ? fromWords(choices) : ':';
}

const fromWords = (words: readonly string[]) =>
  `COMPREPLY=($(compgen -W '${words.map(quoted).join(' ')}' -- "$word"))`;

/** bash escapes what is in their names, and goes on into folders; old ones, and shells without a line to edit, have no compopt. */
function fromPlaces(before: readonly string[]): string {
  const kept = before.length > 0 ? `"\${COMPREPLY[@]}" ` : '';
  return `local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=(${kept}$(compgen -f -- "$word"))`;
}

const quoted = (word: string) => word.replaceAll("'", `'\\''`);
