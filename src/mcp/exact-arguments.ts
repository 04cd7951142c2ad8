/**
 * Numbers in a call's arguments as the model wrote them. A 64-bit id has more digits than a number of JavaScript's, and neither the
 * SDK nor `JSON.stringify` could say it: it travels as a marked text through them, and loses its marks where the message is written.
 */
import { randomUUID } from 'node:crypto';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { stringOrNumber } from '../../parsers/json-text.ts';
import type { JsonObject } from '../../parsers/parser.ts';

/** Nobody else can know it, so no text of a model or of a user is taken for a number. */
const mark = `exact:${randomUUID()}:`;
const marked = new RegExp(`"${mark}([^"]*)"`, 'g');

/** The arguments, those numbers marked that would become others. `argumentsText` is their exact JSON. */
export function exactArguments(args: JsonObject, argumentsText: string | undefined): JsonObject {
  // Up to 15 digits a double tells every number from every other one.
  if (argumentsText === undefined || !/\d[\d.]{15}/.test(argumentsText)) return args;
  return JSON.parse(argumentsText.replace(stringOrNumber, markLong)) as JsonObject;
}

function markLong(token: string): string {
  const isLong = !token.startsWith('"') && token.replace(/[eE].*|\D/g, '').length > 15;
  return isLong && String(Number(token)) !== token ? `"${mark}${token}"` : token;
}

/** A message as JSON text, in which marked numbers are numbers. */
export function exactMessage(json: string): string {
  return json.includes(mark) ? json.replace(marked, '$1') : json;
}

/** The same of messages that the SDK writes itself. */
export function exactFetch(fetch: FetchLike): FetchLike {
  return (url, init) =>
    fetch(url, typeof init?.body === 'string' ? { ...init, body: exactMessage(init.body) } : init);
}
