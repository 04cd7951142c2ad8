/** Server-sent events, as clients of these APIs read them: one `data:` line each, and comments while there is nothing to say. */
import { textStream } from './text-stream.ts';

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
  return textStream(asText(events), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    keepAlive,
    idle: idle ? written(idle) : ': still there\n\n',
    onCancel,
  });
}

function asText(events: AsyncIterator<ServerEvent>): AsyncIterator<string> {
  const text = (step: IteratorResult<ServerEvent>): IteratorResult<string> =>
    step.done ? step : { value: written(step.value) };
  return {
    next: async () => text(await events.next()),
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
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
