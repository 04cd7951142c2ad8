/** Transcripts of a folder: which there are, one of them, and what it comes to when it is gone through again. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { RawcallError } from '../../../parsers/error.ts';
import { isFormatPath } from '../../format-module.ts';
import { recordedFormat } from '../../replay/recorded-format.ts';
import { replay } from '../../replay/replay.ts';
import { replayRecord } from '../../replay/replay-record.ts';
import { refuse } from '../../server/api-error.ts';
import { eventPacker } from '../../transcript/continued.ts';
import { summaryOf } from '../../transcript/kept.ts';
import type { Transcript } from '../../transcript/read-transcript.ts';
import type { RecordedRuns, Replayed, ReplayOrder, RunList, RunSummary } from './runs-protocol.ts';

/** So many of the newest are listed. */
const mostListed = 200;

/** In bytes. More than that no page draws at once; `rawcall show` reads any. */
const largestFile = 64 * 1024 ** 2;

export async function listRuns(folder: string): Promise<RunList> {
  const names = await jsonLinesIn(folder);
  const runs: RunSummary[] = [];
  for (const id of names.slice(0, mostListed)) {
    const summary = await listed(path.join(folder, id), id);
    if (summary) runs.push(summary);
  }
  return { folder, runs, older: Math.max(0, names.length - mostListed) };
}

/** The newest first: their names begin with a time. */
export async function jsonLinesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new RawcallError('bad_file', `${folder}: ${error.message}`, { file: folder }, error);
  });
  return names
    .filter(name => name.endsWith('.jsonl'))
    .sort()
    .reverse();
}

/** Nothing of a file that was deleted meanwhile. */
async function listed(file: string, id: string): Promise<RunSummary | undefined> {
  const size = await sizeOf(file);
  if (size === undefined) return undefined;
  try {
    return { id, size, ...(await summaryOf(file)) };
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    return { id, size, problem: error.message };
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}

/**
 * The file of an id, which is a name in the folder and never a way out of it.
 *
 * @throws RawcallError `api_error` (404, 413)
 */
export async function fileIn(folder: string, id: string): Promise<string> {
  const file = path.join(folder, id);
  const size = id === path.basename(id) && id.endsWith('.jsonl') ? await sizeOf(file) : undefined;
  if (size === undefined)
    return refuse({
      ...{ status: 404, type: 'invalid_request_error', code: 'not_found' },
      message: `There is no file "${id}" in ${folder}.`,
    });
  if (size > largestFile)
    return refuse({
      ...{ status: 413, type: 'invalid_request_error', code: 'too_large' },
      message: `${file} is too large for a page. Read it with: rawcall show ${file}`,
    });
  return file;
}

/** All of it; it is closed then. */
export async function recordedRuns(transcript: Transcript): Promise<RecordedRuns> {
  try {
    const pack = eventPacker();
    const entries: RecordedRuns['entries'][number][] = [];
    for await (const { line, ...event } of transcript.events) entries.push({ ...pack(event), line });
    const { header, cut } = transcript;
    return { header, entries, ...(cut ? { cut: cut.line } : {}) };
  } finally {
    await transcript.close();
  }
}

/** @param own recorded here; a format that is a module is a program, and is not run because a stranger's file names it */
export async function replayed(
  transcript: Transcript,
  { format }: ReplayOrder,
  own: boolean,
): Promise<Replayed> {
  const { header } = transcript;
  try {
    const name = format ?? header.model.format;
    if (isFormatPath(name) && (format !== undefined || !own))
      throw new RawcallError(
        'bad_format',
        `${name} is a module, which the playground does not run because a file names it. Replay it with: rawcall replay ${transcript.file}`,
        { path: name },
      );
    const runs = [];
    const options = await recordedFormat(header, format === undefined ? {} : { format });
    for await (const run of replay(transcript, { format: options })) {
      const { type: _, reason: __, answer: ___, difference, ...record } = replayRecord(run);
      const { turn, line, text } = difference ?? { text: '', turn: 0 };
      runs.push({
        ...record,
        ...(difference ? { difference: { turn, text, ...(line === undefined ? {} : { line }) } } : {}),
      });
    }
    return { runs };
  } finally {
    await transcript.close();
  }
}
