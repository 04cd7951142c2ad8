/** JSON on one line, in which a call's arguments are the digits that the model wrote and not what a double makes of them. */

/** JSON text that is printed as it is. */
export class ExactJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function jsonLine(value: unknown): string {
  return write(value) ?? 'null';
}

function write(value: unknown): string | undefined {
  if (value instanceof ExactJson) return oneLine(value.text);
  if (Array.isArray(value)) return `[${value.map(one => write(one) ?? 'null').join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value) return JSON.stringify(value);
  const exact = 'argumentsText' in value && 'arguments' in value ? value.argumentsText : undefined;
  const members: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const text = key === 'arguments' && typeof exact === 'string' ? oneLine(exact) : write(inner);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

/** In JSON a line break only ever stands between tokens; a lone surrogate would not survive UTF-8. */
function oneLine(json: string): string {
  return json
    .replace(/[\r\n]+/g, ' ')
    .replace(/\p{Surrogate}/gu, unit => `\\u${unit.charCodeAt(0).toString(16)}`);
}
