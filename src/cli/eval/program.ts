/** The commands of `rawcall eval`: tasks asked of models, and what is made of the results. */
import type { Command } from 'commander';
import type { Group } from '../mcp/program.ts';

export function addEvalCommands(program: Command, { add }: Group): void {
  add(
    'eval [tasks]',
    'ask the tasks of a file, or of a set that ships, and count what came of them',
    [],
    program,
  );
}
