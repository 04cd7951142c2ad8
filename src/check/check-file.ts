/** Goes through a file's cases one after another, and checks them. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { RawcallError } from '../../parsers/error.ts';
import { isFormatPath } from '../format-module.ts';
import { openReader } from '../open-format.ts';
import { type CompletionCase, caseReader, type Defaults } from './case.ts';
import { type CaseParser, type CaseResult, checkCase, parserOf } from './check-case.ts';
import { linesOf } from './lines.ts';

export interface CheckOptions {
  readonly seed: number;
  /** For lines that name none. */
  readonly format?: string;
  /** Only the cases whose id holds this text. */
  readonly filter?: string;
}

/** What a line of the file came to. The texts of all of them, joined by line breaks, are the file. */
export type Line<One = CheckedCase> =
  | { readonly kind: 'checked'; readonly text: string; readonly number: number; readonly one: One }
  | { readonly kind: 'bad'; readonly text: string; readonly number: number; readonly message: string }
  /** Blank, or left out by the filter, or with defaults. */
  | { readonly kind: 'other'; readonly text: string; readonly number: number };

export interface CheckedCase extends CaseResult {
  readonly id: string;
  readonly format: string;
  readonly file: string;
  readonly line: number;
  readonly seed: number;
  /** False: there was nothing expected, so only the splits were compared. */
  readonly expects: boolean;
}

export function checkFile(file: string, options: CheckOptions): AsyncGenerator<Line> {
  return eachCase(file, options, caseChecker(file, options.seed));
}

/** @param look at a case, which stands in this line of the file */
export async function* eachCase<One>(
  file: string,
  { format, filter = '' }: Omit<CheckOptions, 'seed'>,
  look: (one: CompletionCase, line: number) => Promise<One>,
): AsyncGenerator<Line<One>> {
  const defaults: Defaults = format === undefined ? {} : { format };
  const readCase = caseReader(file, defaults);
  let number = 0;
  let turned = performance.now();
  for await (const text of linesOf(createReadStream(file, 'utf8'))) {
    number++;
    // The lines of a chunk wait for nothing, and an interrupt must not have to wait for all of them.
    if (performance.now() - turned > 50) {
      await setImmediate();
      turned = performance.now();
    }
    try {
      const one = readCase(text, number);
      if (one?.id.includes(filter)) yield { kind: 'checked', text, number, one: await look(one, number) };
      else yield { kind: 'other', text, number };
    } catch (error) {
      if (!RawcallError.isInstance(error)) throw error;
      yield { kind: 'bad', text, number, message: error.message };
    }
  }
}

/**
 * Checks cases of one file.
 *
 * @param own what all cases are read with, whatever format they name
 */
export function caseChecker(file: string, seed: number, own?: NamedParser) {
  const parserFor = caseParsers(file);
  return async (one: CompletionCase, line: number): Promise<CheckedCase> => {
    const reader = own ?? (await parserFor(one, line));
    const result = checkCase(one, reader, seed);
    return {
      ...result,
      id: one.id,
      format: reader.name,
      file,
      line,
      seed,
      expects: one.expected !== undefined,
    };
  };
}

/** What the cases of one file are read with. Each format is opened once. */
export function caseParsers(file: string) {
  const opened = new Map<string, NamedParser>();
  return async ({ format }: CompletionCase, line: number): Promise<NamedParser> => {
    const reader = opened.get(format ?? '') ?? (await open(format, file, line));
    if (format !== undefined) opened.set(format, reader);
    return reader;
  };
}

export interface NamedParser extends CaseParser {
  readonly name: string;
}

/** A module's path in a file is from that file's folder. */
async function open(format: string | undefined, file: string, line: number): Promise<NamedParser> {
  const place = `${file}:${line}`;
  if (format === undefined)
    throw new RawcallError(
      'bad_case',
      `${place}: it names no "format". Name it in the line, in a line {"defaults": {"format": "…"}} before it, or with --format.`,
      { file, line },
    );
  try {
    const found = await openReader(isFormatPath(format) ? path.resolve(path.dirname(file), format) : format);
    return { name: found.name, ...parserOf(found) };
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    throw new RawcallError('bad_case', `${place}: ${error.message}`, { file, line }, error);
  }
}

/** True where what was read is what was expected, however the completion was cut. */
export function passed({ differences, disagreement }: CaseResult): boolean {
  return differences.length === 0 && disagreement === undefined;
}
