/**
 * A tool's result as the text that the model reads. The rule:
 *
 * | part                         | text                                                                  |
 * | ---------------------------- | --------------------------------------------------------------------- |
 * | text                         | itself                                                                |
 * | resource with text           | its text                                                              |
 * | resource with bytes          | `[resource: URI, TYPE, 1234 bytes]`, and an attachment                |
 * | image, audio                 | `[image: image/png, 1234 bytes]`, and an attachment                   |
 * | resource_link                | `NAME: URI`                                                           |
 * | a part of another kind       | its text if it has one, else `[KIND: not shown]`; an attachment       |
 * | any part for the user alone  | left out; its text is `forUser`, its bytes are an attachment          |
 * | `structuredContent`          | its JSON, where it holds a value that the other parts' text does not  |
 *
 * Parts are joined by a newline; a result with no parts is the empty text. An error without words says that it is one, and where
 * everything was for the user, that is said. A part that is malformed is shown as far as it can be, because a result that the tool
 * did give is worth more to the model than an error about its form.
 */
import { type Fields, isFields } from '../../templates/check.ts';
import type { Attachment, ToolResult } from '../tools.ts';
import { saysAll } from './structured.ts';

export interface RawResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

const saidNothing = 'The tool failed and did not say why.';
const tooDeep = '[structured content: nested too deeply to be shown]';
const saidToUser = '[The result was shown to the user.]';

export function resultText({ content, structuredContent, isError }: RawResult): ToolResult {
  const parts = (Array.isArray(content) ? content : []).filter(isFields);
  const forModel = parts.filter(part => !forUserOnly(part));
  const forUser = parts.filter(forUserOnly).map(partText).join('\n');
  const lines = forModel.map(partText);
  const data =
    structuredContent === undefined || structuredContent === null
      ? undefined
      : (json(structuredContent) ?? tooDeep);
  if (data !== undefined && !saysAll(forModel.map(textOf).join('\n'), structuredContent)) lines.push(data);
  let text = lines.join('\n');
  if (text === '' && forUser !== '') text = saidToUser;
  if (text.trim() === '' && isError === true) text = saidNothing;
  const attachments = parts.flatMap(attachment);
  return {
    content: text,
    isError: isError === true,
    ...(forUser === '' ? {} : { forUser }),
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

function forUserOnly(part: Fields): boolean {
  const audience = isFields(part.annotations) ? part.annotations.audience : undefined;
  return Array.isArray(audience) && audience.length > 0 && audience.every(one => one === 'user');
}

/** The words of a part, which is where a kind to come would have them too. */
function textOf(part: Fields): string | undefined {
  const holder = part.type === 'resource' && isFields(part.resource) ? part.resource : part;
  return typeof holder.text === 'string' ? holder.text : undefined;
}

function partText(part: Fields): string {
  const text = textOf(part);
  if (text !== undefined) return text;
  if (part.type === 'image' || part.type === 'audio')
    return `[${part.type}: ${word(part.mimeType)}, ${bytes(part.data)}]`;
  if (part.type === 'resource_link') return `${word(part.title ?? part.name)}: ${word(part.uri)}`;
  if (part.type === 'resource' && isFields(part.resource)) {
    const { uri, mimeType, blob } = part.resource;
    return `[resource: ${word(uri)}, ${word(mimeType)}, ${bytes(blob)}]`;
  }
  return `[${word(part.type)}: not shown]`;
}

const known = new Set<unknown>(['text', 'image', 'audio', 'resource', 'resource_link']);

function attachment(part: Fields): Attachment[] {
  if (part.type === 'image' || part.type === 'audio') return attached(part.data, part.mimeType);
  if (part.type === 'resource' && isFields(part.resource)) {
    const { uri, mimeType, blob } = part.resource;
    return attached(blob, mimeType, uri);
  }
  if (known.has(part.type)) return [];
  const data = Buffer.from(json(part) ?? '').toString('base64');
  return [{ mimeType: 'application/json', data, name: word(part.type) }];
}

function attached(data: unknown, mimeType: unknown, name?: unknown): Attachment[] {
  if (typeof data !== 'string') return [];
  const type = typeof mimeType === 'string' ? mimeType : 'application/octet-stream';
  return [{ mimeType: type, data, ...(typeof name === 'string' ? { name } : {}) }];
}

const word = (value: unknown): string => (typeof value === 'string' ? value : 'unknown');

/** Undefined for what is nested too deeply to be written. */
function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Of a base64 text, without decoding it. */
function bytes(data: unknown): string {
  const digits = typeof data === 'string' ? data.replace(/=+\s*$/, '').length : 0;
  return `${Math.floor((digits * 3) / 4)} bytes`;
}
