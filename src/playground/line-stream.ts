/** An answer that is a stream of JSON, one value a line. */
import type { Context } from 'hono';
import { jsonLine } from '../json.ts';

/** @param lines is stopped by its signal when the client goes away */
export function lineStream(
  context: Context,
  lines: (signal: AbortSignal) => AsyncGenerator<unknown, void>,
): Response {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  const given = lines(AbortSignal.any([gone.signal, context.req.raw.signal]));
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = await given.next();
      if (step.done) controller.close();
      else controller.enqueue(encoder.encode(`${jsonLine(step.value)}\n`));
    },
    async cancel() {
      gone.abort();
      await given.return();
    },
  });
  return context.body(stream, 200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
}
