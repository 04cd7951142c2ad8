/** The commands that a text names, looked up in commander's own tree. */
import type { Command, Option } from 'commander';
import { createLifetime } from '../../src/cli/lifetime.ts';
import { createProgram } from '../../src/cli/program.ts';

const program = createProgram(createLifetime(), () => {});

/** What is wrong with a line of a shell, or with a synopsis such as `rawcall eval report FILE… [--out FILE]`. */
export function commandProblems(text: string): string[] {
  return text
    .replace(/\s#.*$/gm, '')
    .split(/\n|&&|\||;/)
    .flatMap(part => {
      const [, rest] = /^\s*(?:npx )?rawcall(?: (.*))?$/.exec(part) ?? [];
      return rest === undefined ? [] : problemsOf(rest.match(/'[^']*'|"[^"]*"|[^\s[\]]+/g) ?? []);
    });
}

function problemsOf(words: readonly string[]): string[] {
  let command: Command = program;
  const problems: string[] = [];
  for (const word of words) {
    const next = command.commands.find(sub => sub.name() === word);
    if (next) command = next;
    else if (isFlag(word)) {
      if (!hasFlag(command, word)) problems.push(`"rawcall ${pathOf(command)}" has no flag ${word}`);
    } else if (command === program && word !== 'help') return [`rawcall has no command ${word}`];
    if (word === 'help' || word === '--') break;
  }
  return problems;
}

/** Whether any command has this flag. */
export function someCommandHas(flag: string, command: Command = program): boolean {
  return hasFlag(command, flag) || command.commands.some(sub => someCommandHas(flag, sub));
}

const isFlag = (word: string) => /^--?[a-z]/i.test(word);

function hasFlag(command: Command, word: string): boolean {
  const flag = word.replace(/[=….].*$/, '');
  const options: readonly Option[] = command.createHelp().visibleOptions(command);
  return options.some(({ long, short }) => flag === long || flag === short);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}
