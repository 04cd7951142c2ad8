/** Values as they are given on a command line: `NAME=VALUE`, or all of them as one JSON object. */
import { schemaGuide } from '../../../parsers/guide.ts';
import { readLiteral } from '../../../parsers/literal.ts';
import type { JsonObject, ToolDefinition } from '../../../parsers/parser.ts';
import { RawValue } from '../../../parsers/raw-value.ts';
import { invalidArguments } from '../../../parsers/validate.ts';
import { isFields } from '../../../templates/check.ts';
import { usageError } from '../exit.ts';

/** @throws RawcallError `usage` */
export function givenValues(words: readonly string[]): Record<string, string> {
  const values = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw usageError(`"${word}" is no argument. Write NAME=VALUE.`);
    const name = word.slice(0, at);
    if (values.has(name)) throw usageError(`"${name}" is given twice.`);
    values.set(name, word.slice(at + 1));
  }
  return Object.fromEntries(values);
}

/**
 * A tool's arguments, with the values that its schema asks for: `a=3` is a number where it wants one, and a text where it does
 * not.
 *
 * @throws RawcallError `usage` for what is no JSON, or does not fit the schema
 */
export function toolArguments(
  tool: ToolDefinition,
  words: readonly string[],
): { readonly args: JsonObject; readonly argumentsText: string } {
  const [first = ''] = words;
  const json = words.length === 1 && first.trimStart().startsWith('{');
  const argumentsText = json ? objectText(tool, first) : valuesText(tool, words);
  const args = JSON.parse(argumentsText) as JsonObject;
  const wrong = invalidArguments(tool, args);
  if (wrong !== undefined) throw usageError(`The arguments do not fit ${tool.name}: ${wrong}.`);
  return { args, argumentsText };
}

function objectText({ inputSchema }: ToolDefinition, text: string): string {
  try {
    if (isFields(JSON.parse(text)))
      return readLiteral(text, { guide: schemaGuide(inputSchema), repaired: () => {} })?.json ?? text;
  } catch (error) {
    throw usageError(`The arguments are no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw usageError('The arguments must be one JSON object.');
}

function valuesText({ inputSchema }: ToolDefinition, words: readonly string[]): string {
  const guide = schemaGuide(inputSchema);
  const members = Object.entries(givenValues(words)).map(([name, text]) => {
    let json = '';
    const target = {
      add: (part: string) => {
        json += part;
      },
      repaired: () => {},
      fail: (_problem: string, message: string) => {
        throw usageError(`"${name}": ${message}`);
      },
    };
    const value = new RawValue(target, guide.member(name), guide.has(name) !== false);
    value.add(text);
    value.end();
    return `${JSON.stringify(name)}:${json}`;
  });
  return `{${members.join(',')}}`;
}
