/** `rawcall record list` and `prune`: what was recorded, and what of it is to go. Nothing is deleted that nobody asked for. */
import { rm } from 'node:fs/promises';
import { RawcallError } from '../../parsers/error.ts';
import { jsonLine } from '../json.ts';
import { bytesText } from '../store/bytes-text.ts';
import { type KeptTranscript, keptTranscripts, summaryOf } from '../transcript/kept.ts';
import { exitCodes, usageError } from './exit.ts';
import { runsFolder } from './folders.ts';
import { agreed } from './lines.ts';
import { visible, writeOut } from './output.ts';
import type { Context } from './program.ts';
import { textTable } from './text-table.ts';

export async function listTranscripts({ values }: Context): Promise<number> {
  const folder = values.record || runsFolder();
  const kept = await keptTranscripts(folder);
  if (values.json) {
    for (const { changed, ...one } of kept)
      await writeOut(`${jsonLine({ ...one, changed: changed.toISOString(), ...(await about(one.file)) })}\n`);
    return exitCodes.answered;
  }
  if (kept.length === 0) await writeOut(`No run is recorded in ${folder}.\n`);
  else {
    const rows: string[][] = [];
    for (const one of kept) rows.push(await row(one));
    await writeOut(textTable(['last written (UTC)', 'size', 'model', 'first question', 'file'], rows, [1]));
    await writeOut(`\n${counted(kept)}, in ${folder}\n`);
  }
  return exitCodes.answered;
}

async function row({ file, size, changed }: KeptTranscript): Promise<string[]> {
  const told = await about(file);
  // The file has a column of its own.
  const [model, question] =
    'problem' in told ? ['', `(${told.problem.replace(`${file}:`, '')})`] : [told.model, told.question ?? ''];
  return [dayAndTime(changed), bytesText(size), visible(model), clipped(question), file];
}

/** A file that cannot be read takes up room like the others. */
async function about(file: string) {
  try {
    return await summaryOf(file);
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    return { problem: error.message };
  }
}

export interface PruneFlags {
  /** In milliseconds. */
  readonly olderThan?: number;
  readonly keep?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export async function pruneTranscripts({ values, lifetime }: Context, flags: PruneFlags): Promise<number> {
  const { olderThan, keep, dryRun = false, yes = false } = flags;
  if ((olderThan === undefined) === (keep === undefined))
    throw usageError('Which transcripts are to go? Give --older-than AGE, such as 30d, or --keep COUNT.');
  const folder = values.record || runsFolder();
  const kept = await keptTranscripts(folder);
  const going =
    olderThan === undefined
      ? kept.slice(keep)
      : kept.filter(({ changed }) => Date.now() - changed.getTime() > olderThan);
  if (going.length === 0) {
    await writeOut(`None of ${counted(kept)} in ${folder} is to be deleted.\n`);
    return exitCodes.answered;
  }
  const what = `${counted(going)} of ${kept.length} in ${folder}`;
  if (dryRun) {
    for (const { file } of going) await writeOut(`${file}\n`);
    await writeOut(`Would delete ${what}.\n`);
    return exitCodes.answered;
  }
  if (!yes) {
    const answer = await agreed(`Delete ${what}?`, lifetime);
    if (answer === undefined)
      throw usageError(
        `This would delete ${what}. Nobody can be asked here: add --yes, or --dry-run to see which.`,
      );
    if (!answer) return exitCodes.answered;
  }
  for (const { file } of going) await remove(file);
  await writeOut(`Deleted ${what}.\n`);
  return exitCodes.answered;
}

async function remove(file: string): Promise<void> {
  await rm(file, { force: true }).catch((error: Error) => {
    throw new RawcallError('bad_file', `${file}: it cannot be deleted: ${error.message}`, { file }, error);
  });
}

function counted(kept: readonly KeptTranscript[]): string {
  const size = kept.reduce((sum, one) => sum + one.size, 0);
  return `${kept.length} ${kept.length === 1 ? 'transcript' : 'transcripts'} (${bytesText(size)})`;
}

const dayAndTime = (date: Date) => date.toISOString().slice(0, 16).replace('T', ' ');

function clipped(question: string): string {
  const line = visible(question.replace(/\s+/g, ' '));
  return line.length > 50 ? `${line.slice(0, 50).toWellFormed()}…` : line;
}
