/** The commands of `rawcall eval`: tasks asked of models, and what is made of the results. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Group } from '../mcp/program.ts';
import type { CompareFlags } from './compare.ts';
import { evalOptions, evalSettings } from './flags.ts';
import type { ImportFlags } from './import.ts';
import { type ReportFlags, reporterNames } from './report-names.ts';

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

  add(
    'report <results...>',
    'results as a table, JSON, XML of JUnit, or one page to open offline',
    [],
    command,
  )
    .addOption(new Option('--reporter <name>', 'how to tell').choices(reporterNames).default('table'))
    .option('--out <file>', 'write it there; the default is stdout')
    .action(async (files: string[], flags: ReportFlags) => {
      const { report } = await import('./report.ts');
      done(await report(files, flags));
    });

  add('compare <before> <after>', 'what became better or worse; exits 1 on a regression', [], command)
    .addOption(
      new Option(
        '--threshold <points>',
        'how much worse counts: percentage points of a rate, per cent of a cost',
      )
        .default(2)
        .argParser(points),
    )
    .option('--metric <name>', 'test only this (repeatable); default: all but times', gather)
    .option(
      '--pair <old=new>',
      'compare these two variants (repeatable); default: those of the same id',
      gather,
    )
    .addOption(new Option('--reporter <name>', 'how to tell').choices(['table', 'json']).default('table'))
    .action(async (before: string, after: string, flags: CompareFlags) => {
      const { compareResults } = await import('./compare.ts');
      done(await compareResults(before, after, flags));
    });

  add('import <form> <folder>', 'make a task file of questions that others made: bfcl DIR', [], command)
    .option('--category <name>', 'only these (repeatable); the default is all', gather)
    .option('--limit <count>', 'a sample of so many of each category')
    .option('--seed <number>', 'of the sample; the default is 1')
    .option('--out <file>', 'write it there; the default is stdout')
    .action(async (form: string, folder: string, flags: ImportFlags) => {
      const { importTasks } = await import('./import.ts');
      done(await importTasks(form, folder, flags));
    });
}

function points(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be a number from 0 on.');
}

function gather(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
