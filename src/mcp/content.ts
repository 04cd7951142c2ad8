/**
 * A tool's result as the text that the model reads. The rule:
 *
 * | part                         | text                                                   |
 * | ---------------------------- | ------------------------------------------------------ |
 * | text                         | itself                                                 |
 * | resource with text           | its text                                               |
 * | resource with bytes          | `[resource: URI, TYPE, 1234 bytes]`                    |
 * | image, audio                 | `[image: image/png, 1234 bytes]`                       |
 * | resource_link                | `NAME: URI`                                            |
 * | a part of another kind       | `[KIND: not shown]`                                    |
 * | any part for the user alone  | left out                                               |
 * | `structuredContent`          | its JSON, only where no part gave text                 |
 *
 * Parts are joined by a newline; a result with no parts is the empty text. A part that is malformed is shown as far as it can be,
 * because a result that the tool did give is worth more to the model than an error about its form.
 */
import { type Fields, isFields } from '../../templates/check.ts';
import type { ToolResult } from '../tools.ts';

export interface RawResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

export function resultText({ content, structuredContent, isError }: RawResult): ToolResult {
  const parts = (Array.isArray(content) ? content : []).filter(isFields).filter(part => !forUserOnly(part));
  const lines = parts.map(partText);
  const hasText = parts.some(part => textOf(part) !== undefined);
  if (!hasText && structuredContent !== undefined && structuredContent !== null)
    lines.push(JSON.stringify(structuredContent));
  return { content: lines.join('\n'), isError: isError === true };
}

function forUserOnly(part: Fields): boolean {
  const audience = isFields(part.annotations) ? part.annotations.audience : undefined;
  return Array.isArray(audience) && audience.length > 0 && audience.every(one => one === 'user');
}

function textOf(part: Fields): string | undefined {
  const holder = part.type === 'resource' && isFields(part.resource) ? part.resource : part;
  const wanted = part.type === 'text' || part.type === 'resource';
  return wanted && typeof holder.text === 'string' ? holder.text : undefined;
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

const word = (value: unknown): string => (typeof value === 'string' ? value : 'unknown');

/** Of a base64 text, without decoding it. */
function bytes(data: unknown): string {
  const digits = typeof data === 'string' ? data.replace(/=+\s*$/, '').length : 0;
  return `${Math.floor((digits * 3) / 4)} bytes`;
}
