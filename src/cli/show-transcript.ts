/** `rawcall show`: a recorded run for people, or as a page; `--json`: its events, each prompt whole. */
import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pc from 'picocolors';
import { RawcallError } from '../../parsers/error.ts';
import { jsonLine } from '../json.ts';
import { transcriptPage } from '../transcript/page.ts';
import { openTranscript, type Transcript } from '../transcript/read-transcript.ts';
import { exitCodes, usageError } from './exit.ts';
import { runsFolder } from './folders.ts';
import { writeOut } from './output.ts';
import type { Context } from './program.ts';
import { tellCut } from './replay.ts';
import { notice } from './show.ts';
import { transcriptTeller } from './transcript-text.ts';

export async function showTranscript(
  given: string | undefined,
  { values, lifetime }: Context<{ html?: string }>,
): Promise<number> {
  const { html, json, show = [] } = values;
  if (html !== undefined && json) throw usageError('--html and --json are two ways to show it: give one.');
  const file = given ?? (await newestTranscript(values.record || runsFolder()));
  const transcript = await openTranscript(file);
  lifetime.closeAtEnd(() => transcript.close());
  if (html !== undefined) await writePage(transcript, html);
  else if (json) await printJson(transcript);
  else await printText(transcript, show);
  tellCut(transcript);
  return exitCodes.answered;
}

async function newestTranscript(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const newest = names
    .filter(name => name.endsWith('.jsonl'))
    .sort()
    .at(-1);
  if (newest !== undefined) return path.join(folder, newest);
  throw new RawcallError('bad_file', `${folder}: no run is recorded there. Name the transcript's file.`, {
    file: folder,
  });
}

async function printText(transcript: Transcript, show: readonly string[]): Promise<void> {
  const teller = transcriptTeller(
    show,
    pc.createColors(process.stdout.isTTY === true && pc.isColorSupported),
  );
  await writeOut(teller.header(transcript));
  for await (const event of transcript.events) {
    const text = teller.event(event);
    if (text !== '') await writeOut(text);
  }
  await writeOut(teller.end());
}

async function printJson({ header, events }: Transcript): Promise<void> {
  await writeOut(`${jsonLine(header)}\n`);
  for await (const { line: _, ...event } of events) await writeOut(`${jsonLine(event)}\n`);
}

async function writePage(transcript: Transcript, out: string): Promise<void> {
  try {
    await pipeline(Readable.from(transcriptPage(transcript)), createWriteStream(out));
  } catch (error) {
    if (RawcallError.isInstance(error)) throw error;
    throw new RawcallError('bad_file', `${out}: it cannot be written: ${(error as Error).message}`, {
      file: out,
    });
  }
  notice(`Written to ${out}.`);
}
