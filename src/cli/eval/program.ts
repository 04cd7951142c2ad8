/** The commands of `rawcall eval`: tasks asked of models, and what is made of the results. */
import type { Command } from 'commander';
import type { Group } from '../mcp/program.ts';
import { evalOptions, evalSettings } from './flags.ts';

export function addEvalCommands(program: Command, { add, contextOf, done }: Group): void {
  const command = add(
    'eval [tasks]',
    'ask the tasks of a file, or of a set that ships, and count what came of them',
    evalSettings,
    program,
  );
  // A flag behind the name of a command below is that command's.
  command.enablePositionalOptions();
  for (const option of evalOptions()) command.addOption(option);
  command.action(async (tasks: string | undefined, _options, own: Command) => {
    const { evaluateTasks } = await import('./run.ts');
    done(await evaluateTasks(tasks, contextOf(own), own.opts()));
  });

  add('import <form> <folder>', 'make a task file of questions that others made: bfcl DIR', [], command)
    .option('--category <name>', 'only these (repeatable); the default is all', gather)
    .option('--limit <count>', 'a sample of so many of each category')
    .option('--seed <number>', 'of the sample; the default is 1')
    .option('--out <file>', 'write it there; the default is stdout')
    .action(async (form: string, folder: string, _options, own: Command) => {
      const { importTasks } = await import('./import.ts');
      done(await importTasks(form, folder, contextOf(own)));
    });
}

function gather(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
