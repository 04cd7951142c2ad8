/** Where a task set is: a file, or one that ships. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { nearest } from '../../nearest.ts';
import { usageError } from '../exit.ts';
import { taskSetsFolder } from '../package.ts';

export function shippedSets(): string[] {
  return readdirSync(taskSetsFolder)
    .filter(name => name.endsWith('.yaml'))
    .map(name => name.slice(0, -'.yaml'.length));
}

export function taskFile(given: string | undefined): string {
  const sets = shippedSets();
  if (given === undefined)
    throw usageError(
      `Which tasks? Give a task file (docs/eval.md), or a set that ships: ${sets.join(', ')}.`,
    );
  if (existsSync(given)) return given;
  if (sets.includes(given)) return path.join(taskSetsFolder, `${given}.yaml`);
  const meant = nearest(given, sets);
  throw usageError(
    `There is no task file "${given}", and no set of that name ships.${meant ? ` Is it ${meant}?` : ''} Sets: ${sets.join(', ')}.`,
  );
}
