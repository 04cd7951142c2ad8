/** JSON over several lines, without reading its numbers; it may be cut anywhere, as it is while a model writes it. */

const lexeme = /"(?:[^"\\]|\\.)*(?:"|$)|[[{]\s*[\]}]|[[\]{},:]|[^\s[\]{},:"]+|\\$/gs;

export function jsonLines(text: string): string {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  let written = '';
  for (const [part] of text.matchAll(lexeme)) {
    switch (part) {
      case '{':
      case '[':
        depth++;
        written += part + line();
        break;
      case '}':
      case ']':
        depth = Math.max(0, depth - 1);
        written += line() + part;
        break;
      case ',':
        written += part + line();
        break;
      case ':':
        written += ': ';
        break;
      default:
        written += part;
    }
  }
  return written;
}
