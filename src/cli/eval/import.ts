/** `rawcall eval import bfcl DIR`: questions that others made, as a task file of ours. */

import { seededRandom } from '../../../models/practice/random.ts';
import { RawcallError } from '../../../parsers/error.ts';
import { type BfclCategory, bfclCategories, readBfcl } from '../../eval/bfcl/questions.ts';
import { taskFileOf } from '../../eval/bfcl/task-file.ts';
import { nearest } from '../../nearest.ts';
import { exitCodes, usageError } from '../exit.ts';
import { writeOut } from '../output.ts';
import { notice } from '../show.ts';
import { writeWhole } from '../write-whole.ts';

export interface ImportFlags {
  readonly category?: readonly string[];
  readonly limit?: string;
  readonly seed?: string;
  readonly out?: string;
}

export async function importTasks(form: string, folder: string, flags: ImportFlags): Promise<number> {
  if (form !== 'bfcl') throw usageError(`"${form}" is no form of tasks that can be read; there is: bfcl.`);
  const limit = wholeNumber('--limit', flags.limit, 1);
  const random = seededRandom(wholeNumber('--seed', flags.seed, 0) ?? 1);
  const categories = (flags.category ?? bfclCategories).map(category);
  const questions = [...new Set(categories)].flatMap(one => {
    const all = readBfcl(folder, [one]);
    return limit === undefined || limit >= all.length ? all : random.sample(all, limit);
  });
  const text = taskFileOf(questions);
  if (flags.out === undefined) await writeOut(text);
  else {
    try {
      await writeWhole(flags.out, text);
    } catch (cause) {
      throw new RawcallError(
        'bad_file',
        `${flags.out} can't be written: ${(cause as Error).message}`,
        { file: flags.out },
        cause,
      );
    }
    notice(`${questions.length} tasks are in ${flags.out}. Ask them: rawcall eval ${flags.out}`);
  }
  return exitCodes.answered;
}

function category(name: string): BfclCategory {
  const found = bfclCategories.find(one => one === name);
  if (found) return found;
  const meant = nearest(name, bfclCategories);
  throw usageError(
    `"${name}" is no category that can be read${meant ? `; is it ${meant}?` : '.'} There are: ${bfclCategories.join(', ')}.`,
  );
}

function wholeNumber(flag: string, given: string | undefined, least: number): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= least) return value;
  throw usageError(`${flag} is "${given}"; it must be a whole number from ${least}.`);
}
