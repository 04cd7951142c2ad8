/** The content of a message: a text, a list of text parts, or for a tool's result any JSON. */
import { isFields, type Refuse } from './check.ts';
import { jsonLine } from './schema.ts';

const textParts = ['text', 'input_text', 'output_text'];

/** `where` is the content's own place. Parts are joined by line breaks. */
export function readContent(value: unknown, where: string, refuse: Refuse): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return refuse(where, value, 'a text or an array of text parts');
  return value
    .map((part, index) => {
      if (typeof part === 'string') return part;
      const place = `${where}[${index}]`;
      if (!isFields(part)) return refuse(place, part, '{"type": "text", "text": …}');
      if (!textParts.includes(String(part.type)))
        return refuse(`${place}.type`, part.type, '"text": only text can be rendered');
      return typeof part.text === 'string' ? part.text : refuse(`${place}.text`, part.text, 'a text');
    })
    .join('\n');
}

/** What is no text and no list of parts is a structured result, and is encoded once. */
export function readResult(value: unknown, where: string, refuse: Refuse): string {
  if (value === undefined || value === null) return '';
  const parts =
    Array.isArray(value) && value.length > 0 && value.every(one => isFields(one) && 'type' in one);
  return typeof value === 'string' || parts ? readContent(value, where, refuse) : jsonLine(value);
}
