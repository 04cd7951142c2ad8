/** The transcripts of a folder, under the names that the recorder gives them. */
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';
import { openTranscript, type Transcript } from './read-transcript.ts';

/** `20261130-155016-3f2a.jsonl`: in the order of time, and two of one second apart. */
export function transcriptName(now: Date): string {
  const [day = '', time = ''] = now.toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomBytes(2).toString('hex')}.jsonl`;
}

const ownName = /^\d{8}-\d{6}-[\da-f]{4}\.jsonl$/;

export interface KeptTranscript {
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  /** When it was last written to. */
  readonly changed: Date;
}

/**
 * The newest first. Whatever has another name is somebody's own, and none of them.
 *
 * @throws RawcallError `bad_file`
 */
export async function keptTranscripts(folder: string): Promise<KeptTranscript[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new RawcallError('bad_file', `${folder}: ${error.message}`, { file: folder }, error);
  });
  const kept: KeptTranscript[] = [];
  for (const name of names
    .filter(one => ownName.test(one))
    .sort()
    .reverse()) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile()) kept.push({ file, size: found.size, changed: found.mtime });
  }
  return kept;
}

export interface TranscriptSummary {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly model: string;
  readonly format: string;
  /** The first one. */
  readonly question?: string;
}

/** @throws RawcallError those of reading a transcript */
export async function summaryOf(file: string): Promise<TranscriptSummary> {
  const transcript = await openTranscript(file);
  try {
    const { startedAt, model } = transcript.header;
    const question = await firstQuestion(transcript);
    return {
      ...{ startedAt, model: model.name, format: model.format },
      ...(question === undefined ? {} : { question }),
    };
  } finally {
    await transcript.close();
  }
}

async function firstQuestion({ events }: Transcript): Promise<string | undefined> {
  for await (const event of events) if (event.type === 'run-start') return event.question;
  return undefined;
}
