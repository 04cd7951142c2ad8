/** Results on the disk: read whole, appended to line by line, and gone on with where they were broken off. */
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { RawcallError } from '../../parsers/error.ts';
import {
  type EvalHeader,
  type ResultLine,
  type Results,
  resultsVersion,
  type VariantFailed,
} from './results.ts';

const lineTypes = ['eval-start', 'variant-start', 'variant-failed', 'sample', 'eval-end'];

/** @throws RawcallError `bad_results`, with `file:line` */
export async function readResults(file: string): Promise<Results> {
  return resultsOfText(file, await textOf(file));
}

/** Of a file that was read already. @throws as `readResults` */
export function resultsOfText(file: string, text: string): Results {
  return resultsOf(parsed(text, file).lines, file);
}

export interface ResultsWriter {
  /** What was there already. */
  readonly earlier: Results;
  /** Resolves when the line is on the disk. */
  append(line: ResultLine): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a file to append to: a new one gets the header, one that is there must have been begun with the same one.
 *
 * @throws RawcallError `bad_results`; `other_results`, where the file's header is another
 */
export async function openResults(file: string, header: EvalHeader): Promise<ResultsWriter> {
  const handle = await open(file, 'a+').catch(error => {
    throw unreadable(file, error);
  });
  try {
    const text = await handle.readFile('utf8');
    const { lines, end } = parsed(text, file);
    // What a killed process wrote of its last line is no line.
    if (end < text.length) await handle.truncate(Buffer.byteLength(text.slice(0, end)));
    if (lines.length === 0) await write(handle, header);
    const earlier = resultsOf(lines.length === 0 ? [header] : lines, file);
    const difference = differenceOf(earlier.header, header);
    if (difference !== undefined)
      throw new RawcallError(
        'other_results',
        `${file} was begun with ${difference}. Give another --out, or ask the same again to go on with it.`,
        { file },
      );
    return { earlier, append: line => write(handle, line), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function write(handle: FileHandle, line: ResultLine): Promise<void> {
  await handle.appendFile(`${JSON.stringify(line)}\n`);
  await handle.datasync();
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(error => {
    throw unreadable(file, error);
  });
}

function unreadable(file: string, error: NodeJS.ErrnoException): RawcallError {
  const why = error.code === 'ENOENT' ? 'there is no such file or folder' : error.message;
  return new RawcallError('bad_results', `${file}: ${why}.`, { file }, error);
}

/** The whole lines, and where they end. */
function parsed(text: string, file: string): { readonly lines: readonly ResultLine[]; readonly end: number } {
  const end = text.lastIndexOf('\n') + 1;
  const lines: ResultLine[] = [];
  for (const [at, line] of text.slice(0, end).split('\n').entries())
    if (line.trim() !== '') lines.push(lineOf(line, `${file}:${at + 1}`));
  return { lines, end };
}

function lineOf(text: string, place: string): ResultLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RawcallError(
      'bad_results',
      `${place}: not JSON. It is no results file, or it was damaged.`,
      { place },
      error,
    );
  }
  const { type, version } = (typeof value === 'object' && value !== null ? value : {}) as Partial<EvalHeader>;
  if (type === 'eval-start' && typeof version === 'number' && version > resultsVersion)
    throw new RawcallError(
      'bad_results',
      `${place}: it has version ${version}, and this rawcall reads up to ${resultsVersion}. Use a newer rawcall.`,
      { place, version },
    );
  if (!lineTypes.includes(type ?? ''))
    throw new RawcallError('bad_results', `${place}: no line of a results file: ${text.slice(0, 80)}`, {
      place,
    });
  return value as ResultLine;
}

function resultsOf(lines: readonly ResultLine[], file: string): Results {
  const [header] = lines;
  if (header?.type !== 'eval-start')
    throw new RawcallError('bad_results', `${file}: it does not begin with the header of an evaluation.`, {
      file,
    });
  const started = new Map(
    lines.flatMap(line => (line.type === 'variant-start' ? [[line.variant, line]] : [])),
  );
  const samples = new Map(
    lines.flatMap(line =>
      line.type === 'sample' ? [[`${line.variant} ${line.sample} ${line.task}`, line]] : [],
    ),
  );
  const failed = new Map<string, VariantFailed>();
  for (const line of lines) {
    if (line.type === 'variant-start') failed.delete(line.variant);
    else if (line.type === 'variant-failed') failed.set(line.variant, line);
  }
  return { header, started, failed: [...failed.values()], samples: [...samples.values()] };
}

/** In words, how a file was begun differently. */
function differenceOf(earlier: EvalHeader, now: EvalHeader): string | undefined {
  const compared: { readonly [Key in keyof EvalHeader]?: (header: EvalHeader) => string } = {
    rawcall: ({ rawcall }) => `version ${rawcall} of rawcall`,
    set: ({ set }) => `the tasks of ${set}`,
    tasksHash: ({ set }) => `other tasks in ${set}`,
    tasks: ({ tasks }) => `${tasks.length} tasks, which are not those that are asked now`,
    variants: ({ variants }) => `the variants ${variants.map(({ id }) => id).join(', ')}`,
    samples: ({ samples }) => `${samples} samples a task`,
    seed: ({ seed }) => `seed ${seed}`,
    settings: ({ settings }) => `the settings ${JSON.stringify(settings)}`,
  };
  for (const [key, words] of Object.entries(compared)) {
    const [before, after] = [earlier, now].map(header => JSON.stringify(header[key as keyof EvalHeader]));
    if (before !== after) return words(earlier);
  }
  return undefined;
}
