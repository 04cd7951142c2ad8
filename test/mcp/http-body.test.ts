import { expect, test, vi } from 'vitest';
import { bounded } from '../../src/mcp/http-body.ts';

async function read(chunks: readonly string[], events: boolean) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
      controller.close();
    },
  });
  const told = { onEnd: vi.fn(), onTooLarge: vi.fn() };
  const text = await new Response(bounded(body, { events, maxBytes: 12, ...told }))
    .text()
    .catch(() => undefined);
  return { text, ended: told.onEnd.mock.calls.length, tooLarge: told.onTooLarge.mock.calls.length };
}

test.each([
  ['\n', ['data: one\n\n', 'data: two\n\n']],
  ['\n, by the character', [...'data: one\n\ndata: two\n\n']],
  ['\r\n, by the character', [...'data: one\r\n\r\ndata: two\r\n\r\n']],
  ['\r', ['data: o\r\rdata: two\r', '\r']],
])('the messages of a stream are bounded one by one: lines that end in %j', async (_end, chunks) => {
  expect(await read(chunks, true)).toEqual({ text: chunks.join(''), ended: 1, tooLarge: 0 });
});

test('a message that is too large ends the stream, after those before it', async () => {
  expect(await read(['data: one\n\n', 'data: ', 'more and more', '\n\n'], true)).toMatchObject({
    text: undefined,
    tooLarge: 1,
  });
});

test('a body of one message is bounded as a whole', async () => {
  expect(await read(['{"a":\n\n', '1}'], false)).toEqual({ text: '{"a":\n\n1}', ended: 1, tooLarge: 0 });
  expect(await read(['{"a":\n\n', '1}      '], false)).toMatchObject({ text: undefined, tooLarge: 1 });
});
