/** A recorded completion and what it must come to: one line of a JSONL file. docs/checking.md has the shape. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { RawcallError } from '../../parsers/error.ts';
import type {
  JsonValue,
  Piece,
  Problem,
  ReadingContext,
  StopReason,
  ToolDefinition,
} from '../../parsers/parser.ts';
import { type Repair, repairs } from '../../parsers/repairs.ts';
import { parseTools } from '../../templates/messages.ts';
import { errorWords } from '../json-place.ts';
import { nearest } from '../nearest.ts';
import { exactValue } from './exact.ts';

export interface ExpectedCall {
  readonly name: string;
  /** As `exactValue` gives it. */
  readonly arguments: JsonValue;
}

/** What is not there is not checked. */
export interface Expected {
  readonly calls?: readonly ExpectedCall[];
  readonly content?: string;
  readonly reasoning?: string;
  readonly problems?: readonly Problem[];
  readonly repairs?: readonly Repair[];
}

export interface CompletionCase extends Defaults {
  /** The case's own, or `line N`. */
  readonly id: string;
  readonly completion: readonly Piece[];
  /** True where the completion came in pieces: then control tokens are told from text that spells the same. */
  readonly inPieces: boolean;
  readonly expected?: Expected;
}

/** What a line may leave to an earlier line with `defaults`. */
export interface Defaults {
  readonly format?: string;
  readonly tools?: readonly ToolDefinition[];
  readonly prefill?: string;
  readonly reason?: StopReason;
  readonly bareCalls?: ReadingContext['bareCalls'];
}

type Fields = Readonly<Record<string, unknown>>;

const problems: Readonly<Record<Problem, true>> = {
  truncated: true,
  bad_json: true,
  bad_arguments: true,
  missing_name: true,
  unknown_tool: true,
  non_literal: true,
  unclosed_reasoning: true,
  fabricated_result: true,
};
const defaultKeys = ['format', 'tools', 'prefill', 'reason', 'bareCalls'];
const caseKeys = ['id', ...defaultKeys, 'completion', 'expected', 'defaults'];
export const expectedKeys = ['calls', 'content', 'reasoning', 'problems', 'repairs'] as const;

/**
 * Reads a file's lines one after another; a line with `defaults` holds for those after it. Undefined: the line holds no case.
 *
 * The reader throws RawcallError `bad_case`, with the place in its message.
 */
export function caseReader(
  file: string,
  given: Defaults = {},
): (line: string, number: number) => CompletionCase | undefined {
  const toolsOf = toolsReader(file);
  let defaults = given;

  return (line, number) => {
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (text.trim() === '') return undefined;
    const refuse: Refuse = (what, column) => {
      const place = `${file}:${number}${column === undefined ? '' : `:${column}`}`;
      throw new RawcallError('bad_case', `${place}: ${what}`, { file, line: number });
    };
    const record = jsonObject(text, refuse);
    if ('defaults' in record) {
      const object = fields(record.defaults, '"defaults"', refuse);
      onlyKeys(object, defaultKeys, 'defaults', refuse);
      defaults = { ...defaults, ...readDefaults(object, toolsOf, refuse) };
      return undefined;
    }
    checkKeys(record, refuse);
    const { id, completion, expected } = record;
    return {
      ...defaults,
      ...readDefaults(record, toolsOf, refuse),
      id: id === undefined ? `line ${number}` : idText(id, refuse),
      completion: readPieces(completion, refuse),
      inPieces: typeof completion !== 'string',
      ...(expected === undefined ? {} : { expected: readExpected(expected, text, refuse) }),
    };
  };
}

type Refuse = (what: string, column?: number) => never;

function jsonObject(text: string, refuse: Refuse): Fields {
  try {
    return fields(JSON.parse(text), 'a line', refuse);
  } catch (error) {
    if (RawcallError.isInstance(error)) throw error;
    const errors: ParseError[] = [];
    parse(text, errors);
    const [first] = errors;
    const words = first ? errorWords(printParseErrorCode(first.error)) : String(error);
    return refuse(`not JSON: ${words}. Each line is one JSON object.`, first && first.offset + 1);
  }
}

function checkKeys(record: Fields, refuse: Refuse): void {
  if (!('completion' in record)) refuse('it has no "completion".');
  for (const key of Object.keys(record)) {
    if (caseKeys.includes(key)) continue;
    // Recordings have keys of their own, which are nobody's business here; a key that is nearly one of ours is a mistake.
    const meant = key.length > 3 ? nearest(key, caseKeys) : undefined;
    if (meant !== undefined) refuse(`unknown key "${key}". Did you mean "${meant}"?`);
  }
}

function idText(id: unknown, refuse: Refuse): string {
  return typeof id === 'string' || typeof id === 'number'
    ? String(id)
    : refuse('"id" must be a text or a number.');
}

function readPieces(completion: unknown, refuse: Refuse): readonly Piece[] {
  if (typeof completion === 'string') return [{ text: completion }];
  if (!Array.isArray(completion)) return refuse('"completion" must be a text, or a list of pieces.');
  return completion.map((piece, index) => {
    if (typeof piece === 'string') return { text: piece };
    const { text, control } = fields(piece, `"completion"[${index}]`, refuse);
    if (typeof text !== 'string' || (control !== undefined && typeof control !== 'boolean'))
      return refuse(`"completion"[${index}] must be a text or {"text": "…", "control": true}.`);
    return { text, ...(control ? { control } : {}) };
  });
}

function readDefaults(record: Fields, toolsOf: ToolsOf, refuse: Refuse): Defaults {
  const { format, tools, prefill, reason, bareCalls } = record;
  if (format !== undefined && typeof format !== 'string') refuse('"format" must be a text.');
  if (prefill !== undefined && typeof prefill !== 'string') refuse('"prefill" must be a text.');
  const reasons = ['stop', 'length', 'aborted'] as const;
  const places = ['whole-reply', 'anywhere'] as const;
  return {
    ...(format === undefined ? {} : { format: format as string }),
    ...(tools === undefined ? {} : { tools: toolsOf(tools, refuse) }),
    ...(prefill === undefined ? {} : { prefill: prefill as string }),
    ...(reason === undefined ? {} : { reason: oneOf(reason, reasons, 'reason', refuse) }),
    ...(bareCalls === undefined ? {} : { bareCalls: oneOf(bareCalls, places, 'bareCalls', refuse) }),
  };
}

function oneOf<Word extends string>(
  value: unknown,
  words: readonly Word[],
  key: string,
  refuse: Refuse,
): Word {
  const found = words.find(word => word === value);
  return found ?? refuse(`"${key}" must be one of ${words.join(', ')}, not ${JSON.stringify(value)}.`);
}

type ToolsOf = (value: unknown, refuse: Refuse) => readonly ToolDefinition[];

/** Lines of one file mostly offer the same tools; read once, their schemas are compiled once. */
function toolsReader(file: string, limit = 64): ToolsOf {
  const known = new Map<string, readonly ToolDefinition[]>();
  return (value, refuse) => {
    const key = JSON.stringify(value);
    const earlier = known.get(key);
    if (earlier) return earlier;
    if (known.size >= limit) known.clear();
    const tools = read(value, refuse);
    known.set(key, tools);
    return tools;
  };

  function read(value: unknown, refuse: Refuse): readonly ToolDefinition[] {
    let where = 'tools';
    try {
      if (typeof value !== 'string') return parseTools(value);
      where = path.join(path.dirname(file), value);
      return parseTools(JSON.parse(readFileSync(where, 'utf8')), where);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return refuse(RawcallError.isInstance(error) ? message : `its tools file ${where}: ${message}`);
    }
  }
}

function readExpected(value: unknown, line: string, refuse: Refuse): Expected {
  const record = fields(value, '"expected"', refuse);
  onlyKeys(record, expectedKeys, 'expected', refuse);
  // Read again, for the digits that the first reading has lost.
  const exact = exactValue(line) as { expected: { calls?: unknown } };
  const { content, reasoning } = record;
  if (content !== undefined && typeof content !== 'string') refuse('"expected"."content" must be a text.');
  if (reasoning !== undefined && typeof reasoning !== 'string')
    refuse('"expected"."reasoning" must be a text.');
  return {
    ...(record.calls === undefined ? {} : { calls: readCalls(exact.expected.calls, refuse) }),
    ...(content === undefined ? {} : { content: content as string }),
    ...(reasoning === undefined ? {} : { reasoning: reasoning as string }),
    ...(record.problems === undefined
      ? {}
      : { problems: names(record.problems, problems, 'problems', refuse) }),
    ...(record.repairs === undefined ? {} : { repairs: names(record.repairs, repairs, 'repairs', refuse) }),
  };
}

function readCalls(value: unknown, refuse: Refuse): readonly ExpectedCall[] {
  if (!Array.isArray(value)) return refuse('"expected"."calls" must be a list.');
  return value.map((entry, index) => {
    const place = `"expected"."calls"[${index}]`;
    const call = fields(entry, place, refuse);
    onlyKeys(call, ['name', 'arguments'], `expected.calls[${index}]`, refuse);
    if (typeof call.name !== 'string') return refuse(`${place}."name" must be a text.`);
    return {
      name: call.name,
      arguments: fields(call.arguments ?? {}, `${place}."arguments"`, refuse) as JsonValue,
    };
  });
}

function names<Name extends string>(
  value: unknown,
  known: Readonly<Record<Name, unknown>>,
  key: string,
  refuse: Refuse,
): readonly Name[] {
  if (!Array.isArray(value)) return refuse(`"expected"."${key}" must be a list of names.`);
  return value.map(name => {
    if (typeof name === 'string' && Object.hasOwn(known, name)) return name as Name;
    const all = Object.keys(known);
    const meant = nearest(String(name), all);
    return refuse(
      `"expected"."${key}" has no name ${JSON.stringify(name)}. ${meant ? `Did you mean "${meant}"?` : `Names: ${all.join(', ')}.`}`,
    );
  });
}

function onlyKeys(record: Fields, known: readonly string[], where: string, refuse: Refuse): void {
  for (const key of Object.keys(record)) {
    if (known.includes(key)) continue;
    const meant = nearest(key, known);
    refuse(
      `unknown key "${key}" in "${where}". ${meant ? `Did you mean "${meant}"?` : `Keys: ${known.join(', ')}.`}`,
    );
  }
}

function fields(value: unknown, what: string, refuse: Refuse): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  return refuse(`${what} must be a JSON object.`);
}
