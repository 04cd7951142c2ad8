/** Follows each request to the end of its answer, for the metrics and for a log of exactly what was asked, prompted, generated and sent. */
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Piece, StopReason } from '../../parsers/parser.ts';
import type { Prompt } from '../../templates/template.ts';
import type { Usage } from '../engine/engine.ts';
import type { Metrics } from './metrics.ts';
import type { RawEvent } from './raw-turn.ts';
import type { ServedEvent } from './served-run.ts';

/** One request, as the log has it. It holds no header, and so no key. */
export interface ChatRecord {
  readonly time: string;
  readonly path: string;
  readonly status: number;
  /** The body, as it came. */
  readonly request: string;
  readonly turns: readonly RecordedTurn[];
  /** The body of the answer, or all of its stream. */
  readonly sent: string;
}

export interface RecordedTurn {
  readonly prompt: Prompt;
  /** Absent where nobody waited for its end; `sent` has what came of it. */
  readonly completion?: { readonly pieces: readonly Piece[]; readonly reason: StopReason };
  readonly usage?: Usage;
}

export interface Watched {
  asked(body: string): void;
  /** Hands the events of a turn on, and notes them. */
  turn<Event extends ServedEvent | RawEvent, Result>(
    events: AsyncGenerator<Event, Result>,
  ): AsyncGenerator<Event, Result>;
  /** The answer is a stream, of which each part is told, and the end. */
  stream(): { sent(text: string): void; end(): void };
}

export interface Watch {
  readonly middleware: MiddlewareHandler;
  of(context: Context): Watched;
}

export interface WatchOptions {
  readonly metrics: Metrics;
  readonly onChat?: (record: ChatRecord) => void;
  /** In ms since 1970. */
  readonly now: () => number;
}

interface Following extends Watched {
  readonly streams: boolean;
  end(status: number, endpoint: string, sent: string): void;
}

export function openWatch({ metrics, onChat, now }: WatchOptions): Watch {
  const followed = new WeakMap<Context, Following>();

  function follow(context: Context): Following {
    const started = now();
    const turns: { -readonly [Key in keyof RecordedTurn]: RecordedTurn[Key] }[] = [];
    let request: string | undefined;
    let begun = false;
    let streams = false;

    function note(event: ServedEvent | RawEvent): void {
      if (event.type === 'turn-start') turns.push({ prompt: event.prompt });
      else if (!begun) {
        begun = true;
        metrics.firstToken((now() - started) / 1000);
      }
      const turn = turns.at(-1);
      if (event.type === 'completion-end' && turn) {
        const { pieces, reason } = event;
        turn.completion = { pieces, reason };
      } else if (event.type === 'usage') {
        const { type: _, ...usage } = event;
        metrics.usage(usage);
        if (turn) turn.usage = usage;
      }
    }

    function end(status: number, endpoint: string, sent: string): void {
      metrics.request(endpoint, status, (now() - started) / 1000);
      const { path } = context.req;
      if (onChat && request !== undefined)
        onChat({ time: new Date(started).toISOString(), path, status, request, turns, sent });
    }

    return {
      asked(body) {
        request = body;
      },
      async *turn(events) {
        try {
          for (;;) {
            const step = await events.next();
            if (step.done) return step.value;
            note(step.value);
            yield step.value;
          }
        } finally {
          // Where nobody wants the rest, the generation ends with it.
          await events.return(undefined as never);
        }
      },
      stream() {
        streams = true;
        const endpoint = endpointOf(context);
        let sent = '';
        return {
          sent(text) {
            if (onChat) sent += text;
          },
          end: () => end(200, endpoint, sent),
        };
      },
      get streams() {
        return streams;
      },
      end,
    };
  }

  return {
    of: context => followed.get(context)!,
    async middleware(context, next) {
      const following = follow(context);
      followed.set(context, following);
      await next();
      if (following.streams) return;
      const sent = onChat ? await context.res.clone().text() : '';
      following.end(context.res.status, endpointOf(context), sent);
    },
  };
}

/** The route, of which there are few, and not whatever somebody asks for. */
function endpointOf(context: Context): string {
  const route = routePath(context, -1);
  return route.includes('*') ? 'other' : route;
}
