/** The commands of `rawcall models`: what there is to take, what fits this machine, and what a file holds. */
import type { Command } from 'commander';
import type { Group } from '../mcp/program.ts';

export function addModelsCommands(program: Command, { add, contextOf, done }: Group): void {
  const models = program.command('models').description('models: which there are, which fit, and their files');

  add('list', 'the models of the catalog', ['catalog', 'json'], models).action(
    async (_options, command: Command) => {
      const { listModels } = await import('./list.ts');
      done(await listModels(contextOf(command)));
    },
  );
}
