/** Files with messages and tools; what is wrong in one is told with its name. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { RawcallError } from '../../parsers/error.ts';
import type { ToolDefinition } from '../../parsers/parser.ts';
import { schemaFault } from '../../parsers/validate.ts';
import { parseMessages, parseTools } from '../../templates/messages.ts';
import type { Conversation, Message } from '../../templates/template.ts';
import { placeAt } from '../json-place.ts';
import { notice } from './show.ts';

/** `{"messages": […], "tools": […]}`, or the array of messages alone. `-` is stdin. */
export async function readConversation(file: string): Promise<Conversation> {
  const { messages, content } = await readSaved(file);
  return named(file, () => ({ messages, tools: toldOf(file, parseTools(content.tools ?? [])) }));
}

/** The messages, and all that the file says. */
export interface Saved {
  readonly messages: readonly Message[];
  readonly content: Readonly<Record<string, unknown>>;
}

/** @throws RawcallError `bad_file`, `bad_messages` */
export async function readSaved(file: string): Promise<Saved> {
  const json = await readJson(file);
  return named(file, () => {
    const content = Array.isArray(json) ? { messages: json } : asObject(json);
    return { messages: parseMessages(content.messages), content };
  });
}

/** An array of tools, or an object with `tools`. */
export async function readTools(file: string): Promise<readonly ToolDefinition[]> {
  const content = await readJson(file);
  return named(file, () =>
    toldOf(file, parseTools(Array.isArray(content) ? content : asObject(content).tools)),
  );
}

/** A schema that is one and still can't be used, such as one that refers to nowhere, is told. */
function toldOf(file: string, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  for (const tool of tools) {
    const fault = schemaFault(tool);
    if (fault !== undefined)
      notice(`${file}: the schema of ${tool.name} is broken: ${fault}. Its arguments are not validated.`);
  }
  return tools;
}

function asObject(content: unknown): Readonly<Record<string, unknown>> {
  if (typeof content === 'object' && content !== null) return content as Record<string, unknown>;
  throw new RawcallError('bad_messages', 'it must hold {"messages": […], "tools": […]}.');
}

async function readJson(file: string): Promise<unknown> {
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch(
    (error: Error) => {
      throw new RawcallError('bad_file', `${file}: ${readFailure(error)}`, { file }, error);
    },
  );
  const errors: ParseError[] = [];
  const value: unknown = parse(content.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  const first = errors[0];
  if (!first) return value;
  const { line } = placeAt(content, first.offset);
  throw new RawcallError('bad_file', `${file}:${line}: not JSON: ${printParseErrorCode(first.error)}.`, {
    file,
    line,
  });
}

function readFailure(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'there is no such file.';
  if (error.code === 'EISDIR') return 'it is a folder.';
  return `it cannot be read: ${error.message}`;
}

function named<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    throw new RawcallError(error.code, `${file}: ${error.message}`, { ...error.details, file }, error);
  }
}
