/** `rawcall parse --jsonl`: one JSON object a line in, one a line out, in order and in constant memory. */
import { jsonMembers } from '../../parsers/json-text.ts';
import type { ToolDefinition } from '../../parsers/parser.ts';
import { parseTools } from '../../templates/messages.ts';
import { linesOf } from '../check/lines.ts';
import { type Format, formatNamed } from '../format.ts';
import { ExactJson, jsonLine } from '../json.ts';
import { type CompletionOptions, readCompletion } from '../read-completion.ts';
import { exitCodes, usageError } from './exit.ts';
import { writeOut } from './output.ts';

type Defaults = Partial<CompletionOptions>;

/** Each write is a system call, so lines are written together up to this many characters. */
const batchSize = 64 * 1024;

export async function parseLines(
  input: NodeJS.ReadableStream,
  field: string,
  defaults: Defaults,
): Promise<number> {
  const readLine = lineReader(field, defaults);
  let number = 0;
  let failures = 0;
  let batch = '';
  input.setEncoding('utf8');
  for await (const line of linesOf(input)) {
    number++;
    if (line.trim() === '') continue;
    const { output, failed } = readLine(line, number);
    if (failed) failures++;
    batch += `${output}\n`;
    if (batch.length < batchSize) continue;
    await writeOut(batch);
    batch = '';
  }
  await writeOut(batch);
  return failures === 0 ? exitCodes.answered : exitCodes.error;
}

function lineReader(field: string, defaults: Defaults) {
  const toolsOf = toolCache();

  function read(line: string, number: number): object {
    const record = asObject(line, number);
    const id = idOf(record, line, number);
    try {
      const completion = record[field];
      if (typeof completion !== 'string') throw usageError(`there is no text in "${field}".`);
      const options = optionsOf(record, defaults, toolsOf);
      return { id, ...readCompletion(completion, stopOf(record.stop), options) };
    } catch (error) {
      return { id, ...failure(error, number) };
    }
  }

  return (line: string, number: number): { output: string; failed: boolean } => {
    let result: object;
    try {
      result = read(line, number);
    } catch (error) {
      result = { id: null, ...failure(error, number) };
    }
    return { output: jsonLine(result), failed: 'error' in result };
  };
}

type Line = Readonly<Record<string, unknown>>;

function asObject(line: string, number: number): Line {
  const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usageError('it is no JSON object.');
  return value as Line;
}

/** A line without an id is known by its number. An integer beyond 2^53 keeps its digits. */
function idOf({ id }: Line, line: string, number: number): unknown {
  if (id === undefined) return number;
  if (typeof id !== 'number' || Number.isSafeInteger(id)) return id;
  return new ExactJson(jsonMembers(line).findLast(([key]) => key === 'id')?.[1] ?? String(id));
}

function optionsOf(record: Line, defaults: Defaults, toolsOf: (value: unknown) => readonly ToolDefinition[]) {
  const format = formatOf(record.format) ?? defaults.format;
  if (!format) throw usageError('it names no "format", and no --format was given.');
  const tools = record.tools === undefined ? defaults.tools : toolsOf(record.tools);
  const prefill = record.prefill === undefined ? defaults.prefill : textOf(record.prefill);
  return { format, ...(tools ? { tools } : {}), ...(prefill === undefined ? {} : { prefill }) };
}

function formatOf(value: unknown): Format | undefined {
  return value === undefined ? undefined : formatNamed(String(value));
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw usageError('"prefill" must be a text.');
  return value;
}

function stopOf(value: unknown): 'stop' | 'length' {
  if (value === undefined || value === 'stop') return 'stop';
  if (value === 'length') return 'length';
  throw usageError(`"stop" must be "stop" or "length", not ${JSON.stringify(value)}.`);
}

function failure(error: unknown, number: number): { error: string } {
  return { error: `line ${number}: ${error instanceof Error ? error.message : String(error)}` };
}

/** Lines of one file mostly offer the same tools; read once, their schemas are compiled once. */
function toolCache(limit = 64) {
  const known = new Map<string, readonly ToolDefinition[]>();
  return (value: unknown): readonly ToolDefinition[] => {
    const key = JSON.stringify(value);
    const earlier = known.get(key);
    if (earlier) return earlier;
    if (known.size >= limit) known.clear();
    const tools = parseTools(value);
    known.set(key, tools);
    return tools;
  };
}
