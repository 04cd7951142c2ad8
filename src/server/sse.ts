/** Server-sent events, as clients of these APIs read them: one `data:` line each, and comments while there is nothing to say. */

export interface ServerEvent {
  readonly event?: string;
  /** An object is sent as JSON. */
  readonly data: unknown;
}

export interface StreamOptions {
  /** Milliseconds of silence after which `idle` is sent, so that no proxy takes the connection for dead. */
  readonly keepAlive: number;
  /** Default: a comment. */
  readonly idle?: ServerEvent;
  /** The client went away. */
  readonly onCancel: () => void;
}

/** `events` is read as fast as the client takes it. */
export function eventStream(
  events: AsyncIterator<ServerEvent>,
  { keepAlive, idle, onCancel }: StreamOptions,
): Response {
  const encoder = new TextEncoder();
  // Begun at once: what never began has no end either, and where the client is gone before it reads would give nothing up.
  let waiting: Promise<IteratorResult<ServerEvent>> | undefined = events.next();
  // Whoever reads is told.
  waiting.catch(() => {});
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      waiting ??= events.next();
      const step = await withinTime(waiting, keepAlive);
      if (step === undefined) {
        controller.enqueue(encoder.encode(idle ? written(idle) : ': still there\n\n'));
        return;
      }
      waiting = undefined;
      if (step.done) controller.close();
      else controller.enqueue(encoder.encode(written(step.value)));
    },
    async cancel() {
      onCancel();
      // Nobody asks for the rest, and what the events hold has to be given up.
      await events.return?.();
    },
  });
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    },
  });
}

/** An event whose name is its own type. */
export function typedEvent(data: { readonly type: string }): ServerEvent {
  return { event: data.type, data };
}

export async function* typedEvents(
  events: AsyncIterable<{ readonly type: string }>,
): AsyncGenerator<ServerEvent> {
  for await (const event of events) yield typedEvent(event);
}

export function written({ event, data }: ServerEvent): string {
  const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  return event === undefined ? line : `event: ${event}\n${line}`;
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
