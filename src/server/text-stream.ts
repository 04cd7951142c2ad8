/** An answer that comes in parts, read as fast as the client takes it. */

export interface TextStreamOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds of silence after which `idle` is sent, so that no proxy takes the connection for dead. */
  readonly keepAlive: number;
  readonly idle: string;
  /** The client went away. */
  readonly onCancel: () => void;
}

export function textStream(
  parts: AsyncIterator<string>,
  { headers, keepAlive, idle, onCancel }: TextStreamOptions,
): Response {
  const encoder = new TextEncoder();
  // Begun at once: what never began has no end either, and where the client is gone before it reads would give nothing up.
  let waiting: Promise<IteratorResult<string>> | undefined = parts.next();
  // Whoever reads is told.
  waiting.catch(() => {});
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      waiting ??= parts.next();
      const step = await withinTime(waiting, keepAlive);
      if (step === undefined) {
        controller.enqueue(encoder.encode(idle));
        return;
      }
      waiting = undefined;
      if (step.done) controller.close();
      else controller.enqueue(encoder.encode(step.value));
    },
    async cancel() {
      onCancel();
      // Nobody asks for the rest, and what the parts hold has to be given up.
      await parts.return?.();
    },
  });
  return new Response(stream, { headers: { ...headers, 'x-accel-buffering': 'no' } });
}

/** Nothing where it takes longer. */
async function withinTime<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
