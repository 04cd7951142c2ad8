/** A completion, read as a format reads it. */
import type { Piece, Reading, ReadingContext, StopReason, ToolDefinition } from '../parsers/parser.ts';
import { type CallFailed, type Collected, createCollector, type Repaired } from '../parsers/read.ts';
import { type Format, formats } from './format.ts';
import { ExactJson, jsonLine } from './json.ts';

export interface CompletionOptions {
  readonly format: Format;
  readonly tools?: readonly ToolDefinition[];
  readonly prefill?: string;
  /** Absent for a flat text, of which nobody knows which of its letters were tokens. */
  readonly controlTokens?: ReadonlySet<string>;
}

export function startReading(options: CompletionOptions): Reading {
  return options.format.parser.start(readingContext(options));
}

export function readingContext({ format, tools, prefill, controlTokens }: CompletionOptions): ReadingContext {
  return {
    stops: format.template.stops,
    ...(tools === undefined ? {} : { tools }),
    ...(prefill === undefined ? {} : { prefill }),
    ...(controlTokens === undefined ? {} : { controlTokens }),
  };
}

/** What was read, as `rawcall parse` prints it. */
export interface CompletionRecord {
  readonly calls: readonly { readonly name: string; readonly arguments: ExactJson }[];
  readonly content: string;
  readonly reasoning: string;
  readonly problems: readonly Pick<CallFailed, 'problem' | 'message' | 'span'>[];
  readonly repairs: readonly Pick<Repaired, 'repair' | 'span'>[];
}

export function readCompletion(
  completion: string | readonly Piece[],
  stop: StopReason,
  options: CompletionOptions,
): CompletionRecord {
  const reading = startReading(options);
  const collector = createCollector();
  for (const piece of piecesOf(completion)) collector.add(reading.push(piece));
  collector.add(reading.end(stop));
  return recordOf(collector.collected);
}

export function piecesOf(completion: string | readonly Piece[]): readonly Piece[] {
  return typeof completion === 'string' ? [{ text: completion }] : completion;
}

/** Formats that read the same. */
export interface Readers {
  readonly formats: readonly string[];
  readonly record: CompletionRecord;
}

/** As each format reads it; those with the fewest problems and repairs among those with calls come first. */
export function readAsAllFormats(
  completion: string | readonly Piece[],
  stop: StopReason,
  options: Omit<CompletionOptions, 'format'>,
): readonly Readers[] {
  const groups = new Map<string, { formats: string[]; record: CompletionRecord }>();
  for (const format of formats) {
    const record = readCompletion(completion, stop, { ...options, format });
    const key = jsonLine(record);
    const group = groups.get(key);
    if (group) group.formats.push(format.name);
    else groups.set(key, { formats: [format.name], record });
  }
  return [...groups.values()].sort((left, right) => rank(left.record) - rank(right.record));
}

function rank({ calls, problems, repairs }: CompletionRecord): number {
  return (calls.length === 0 ? 1000 : 0) + 10 * problems.length + repairs.length;
}

export function recordOf({ ended, content, reasoning, problems, repaired }: Collected): CompletionRecord {
  return {
    calls: ended.map(({ call }) => ({ name: call.name, arguments: new ExactJson(call.argumentsText) })),
    content,
    reasoning,
    problems: problems.map(({ problem, message, span }) => ({ problem, message, span })),
    repairs: repaired.map(({ repair, span }) => ({ repair, span })),
  };
}
