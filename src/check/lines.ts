/** A text line by line, in constant memory. Joined by line breaks, the lines are the text. */
export async function* linesOf(chunks: AsyncIterable<unknown>): AsyncGenerator<string> {
  let rest: string[] = [];
  for await (const chunk of chunks) {
    const [head = '', ...lines] = String(chunk).split('\n');
    rest.push(head);
    if (lines.length === 0) continue;
    yield rest.join('');
    rest = [lines.pop() ?? ''];
    yield* lines;
  }
  yield rest.join('');
}
