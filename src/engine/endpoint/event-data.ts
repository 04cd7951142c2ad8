/** Server-sent events: the `data` of each, whatever way the bytes come in. */

/** Of one event. A server that never ends a line must not fill the memory. */
const largest = 64 * 1024 * 1024;

/** @throws RangeError for an event that is too large */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let text = '';
  let data: string[] = [];
  let size = 0;
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    // A CR at the end may be the half of a line's end.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n');
        data = [];
        size = 0;
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line[5] === ' ' ? 6 : 5));
        size += line.length;
      }
    }
    if (size + text.length > largest) throw new RangeError(`an event of more than ${largest} characters`);
  }
  // Some servers leave the empty line behind the last event out.
  text += decoder.decode();
  if (text.startsWith('data:')) data.push(text.replace(/\r$/, '').slice(text[5] === ' ' ? 6 : 5));
  if (data.length > 0) yield data.join('\n');
}
