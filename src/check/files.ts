/** Which files hold cases. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';

/**
 * A file is taken as it is; of a folder, and all folders in it, those named `completions.jsonl` or `NAME.completions.jsonl`.
 *
 * @throws RawcallError `bad_case_file` where there is nothing of that name, or a folder without such files
 */
export function caseFiles(places: readonly string[]): string[] {
  return [...new Set(places.flatMap(filesAt))];
}

function filesAt(place: string): string[] {
  const stats = statSync(place, { throwIfNoEntry: false });
  if (!stats)
    throw new RawcallError('bad_case_file', `${place}: there is no such file or folder.`, { file: place });
  if (!stats.isDirectory()) return [place];
  const files = readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter(
      name => /(?:^|[./\\])completions\.jsonl$/.test(name) && !/(?:^|[/\\])node_modules[/\\]/.test(name),
    )
    .sort()
    .map(name => path.join(place, name));
  if (files.length > 0) return files;
  throw new RawcallError(
    'bad_case_file',
    `${place}: no file in this folder is named completions.jsonl or NAME.completions.jsonl. Name the files themselves.`,
    { file: place },
  );
}
