/** Reads a transcript line by line, in as much memory as its longest line takes; what is wrong is told with its line. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { RawcallError } from '../../parsers/error.ts';
import { isFields } from '../../templates/check.ts';
import { linesOf } from '../check/lines.ts';
import { errorWords } from '../json-place.ts';
import { eventUnpacker } from './continued.ts';
import { lineProblem } from './line-problem.ts';
import { partJoiner } from './parts.ts';
import type { RecordedEvent, Timed, TranscriptEntry, TranscriptHeader } from './transcript.ts';

export const newestVersion = 2;

export type TimedEvent = RecordedEvent & Timed;

export interface Transcript {
  readonly file: string;
  readonly header: TranscriptHeader;
  /** One after another, and only once. `line`: where it stands. */
  readonly events: AsyncGenerator<TimedEvent & { readonly line: number }, void>;
  /** The last line that is not whole: whoever wrote it was ended there. Known when the events were read. */
  readonly cut: { readonly line: number } | undefined;
  close(): Promise<void>;
}

/** @throws RawcallError `bad_file`, `bad_transcript`, `newer_transcript`; the events throw the second one too */
export async function openTranscript(file: string): Promise<Transcript> {
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 });
  return readTranscript(file, stream, () => stream.destroy());
}

/** One that was read already: `file` is what messages call it. */
export async function transcriptOfText(file: string, text: string): Promise<Transcript> {
  return readTranscript(file, Readable.from([text]), () => {});
}

async function readTranscript(
  file: string,
  chunks: AsyncIterable<unknown>,
  close: () => void,
): Promise<Transcript> {
  const lines = transcriptLines(file, chunks, close);
  let cut: { line: number } | undefined;
  const first = await lines.next();
  if (first.done) throw bad(file, 1, 'it is empty. A transcript begins with its header.');
  const header = readHeader(file, first.value);

  async function* events(): AsyncGenerator<TimedEvent & { readonly line: number }, void> {
    const unpack = eventUnpacker();
    const join = partJoiner();
    for await (const { text, number, whole } of lines) {
      const value = parsed(text);
      if (value === undefined && !whole) {
        cut = { line: number };
        break;
      }
      if (value === undefined) throw bad(file, number, `not JSON: ${faultOf(text)}.`);
      const problem = lineProblem(value);
      if (problem !== undefined) throw bad(file, number, problem);
      const event = unpack(value as TranscriptEntry);
      if (!event) throw bad(file, number, 'its prompt continues one that no earlier line has.');
      yield* join({ ...event, line: number });
    }
    yield* join(undefined);
  }

  return {
    file,
    header,
    events: events(),
    get cut() {
      return cut;
    },
    async close() {
      await lines.return(undefined);
    },
  };
}

interface Line {
  readonly text: string;
  readonly number: number;
  /** False of a last line without its line break. */
  readonly whole: boolean;
}

async function* transcriptLines(
  file: string,
  chunks: AsyncIterable<unknown>,
  close: () => void,
): AsyncGenerator<Line, void> {
  try {
    let number = 0;
    let before: string | undefined;
    for await (const text of linesOf(chunks)) {
      if (before !== undefined && before.trim() !== '') yield { text: before, number, whole: true };
      before = text;
      number++;
    }
    // Behind the last line break: nothing, or a line that was not written to its end.
    if (before !== undefined && before.trim() !== '') yield { text: before, number, whole: false };
  } catch (error) {
    if (RawcallError.isInstance(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT' ? 'there is no such file.' : code === 'EISDIR' ? 'it is a folder.' : message;
    throw new RawcallError('bad_file', `${file}: ${why}`, { file }, error);
  } finally {
    close();
  }
}

function readHeader(file: string, { text, number }: Line): TranscriptHeader {
  const value = parsed(text);
  if (!isFields(value) || value.type !== 'transcript')
    throw bad(file, number, 'it is no transcript: the first line is not the header of one.');
  const { version } = value;
  if (typeof version === 'number' && version > newestVersion) {
    const writer = isFields(value.versions) ? value.versions.rawcall : undefined;
    throw new RawcallError(
      'newer_transcript',
      `${file}: it is a transcript of version ${version}${typeof writer === 'string' ? `, written by rawcall ${writer}` : ''}, and this rawcall reads versions up to ${newestVersion}. Read it with a newer rawcall.`,
      { file, version },
    );
  }
  const problem = lineProblem(value);
  if (problem !== undefined) throw bad(file, number, problem);
  return value as unknown as TranscriptHeader;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function faultOf(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors);
  const [first] = errors;
  return first ? `${errorWords(printParseErrorCode(first.error))} at column ${first.offset + 1}` : 'broken';
}

function bad(file: string, line: number, what: string): RawcallError {
  return new RawcallError('bad_transcript', `${file}:${line}: ${what}`, { file, line });
}
