/** Reads a call's arguments. A model wrote them, so each may be missing or of another kind; the message tells it what to write. */
import { RawcallError } from '../../../parsers/error.ts';
import type { JsonObject } from '../../../parsers/parser.ts';

/** An error that the model gets to read. */
export function refusal(message: string): RawcallError {
  return new RawcallError('tool_refused', message);
}

export function numberArgument(args: JsonObject, name: string): number {
  const value = args[name];
  if (typeof value === 'number') return value;
  throw refusal(`"${name}" must be a number${found(value)}`);
}

export function stringArgument(args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw refusal(`"${name}" must be a text that is not empty${found(value)}`);
}

/** Nothing, an empty text and null all stand for an argument that was left out. */
export function optionalString(args: JsonObject, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  return stringArgument(args, name);
}

function found(value: unknown): string {
  return value === undefined ? '; it is missing.' : `, not ${JSON.stringify(value).slice(0, 80)}.`;
}
