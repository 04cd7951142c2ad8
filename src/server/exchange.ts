/** What the endpoints share: a request's body, its place among the others, its answer whole or streamed, and its client that goes away. */
import type { Context } from 'hono';
import type { Prompt } from '../../templates/template.ts';
import type { GenerateOptions } from '../engine/engine.ts';
import type { Admission } from './admission.ts';
import { type ApiError, apiErrorOf, badRequest, errorBody, refuse } from './api-error.ts';
import { type RawEvent, rawTurn } from './raw-turn.ts';
import type { ServedEvent } from './served-run.ts';
import { rawParts, type Service } from './service.ts';
import { eventStream, type ServerEvent, written } from './sse.ts';
import type { TurnRequest } from './turn-request.ts';
import type { Watch } from './watch.ts';

export interface ExchangeOptions {
  /** Nothing until the model is there. */
  readonly service: () => Service | undefined;
  readonly admission: Admission;
  readonly watch: Watch;
  /** Milliseconds of silence after which a stream is kept alive. Default: 10 s. */
  readonly keepAlive?: number;
  /** In ms since 1970. */
  readonly now: () => number;
  /** A new one each time, of letters and digits. */
  readonly newId: () => string;
  /** What is no fault of the client. */
  readonly onError: (error: unknown) => void;
}

export interface Exchange {
  /** @throws RawcallError `api_error` (503) while the model is being loaded */
  loaded(): Service;
  /**
   * The only one that there is, whatever a client that names none means by it.
   *
   * @throws RawcallError `api_error` (404, 503)
   */
  serviceFor(model: string | undefined): Service;
  /** @throws RawcallError `api_error` (400) */
  body(context: Context): Promise<unknown>;
  /** Runs a request in its turn, and stops it when its client goes away. */
  admitted(context: Context, service: Service, run: (place: Place) => Promise<Response>): Promise<Response>;
  /** In seconds since 1970. */
  seconds(): number;
  newId(): string;
  /** What the client is told of it; what is no fault of its own is reported to `onError`. */
  told(error: unknown): ApiError;
}

export interface Place {
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** @param callId gives each call its id. Default: `call_` and a new one. */
  turn(request: TurnRequest, callId?: () => string): AsyncGenerator<ServedEvent, void>;
  /** A prompt of the client's own. */
  generate(prompt: Prompt, options: GenerateOptions): AsyncGenerator<RawEvent>;
  /**
   * Answers with a stream, and gives the place up at its end. What fails before the first event is an answer with a status of its
   * own; later it is the last event, which `failure` makes. Default: OpenAI's error as `data:`.
   *
   * @param idle is sent while there is nothing to say. Default: a comment.
   */
  stream(
    events: AsyncIterator<ServerEvent>,
    failure?: (error: ApiError) => readonly ServerEvent[],
    idle?: ServerEvent,
  ): Promise<Response>;
}

export function openExchange(options: ExchangeOptions): Exchange {
  const { admission, watch, now, newId, onError, keepAlive = 10_000 } = options;

  function loaded(): Service {
    return (
      options.service() ??
      refuse({
        status: 503,
        type: 'server_error',
        code: 'model_loading',
        message: 'The model is still being loaded. Try again in a moment.',
        retryAfter: 1,
      })
    );
  }

  function told(error: unknown): ApiError {
    const api = apiErrorOf(error);
    if (api.status === 500) onError(error);
    return api;
  }

  /** The rest of a stream that has begun. */
  async function* rest(
    first: IteratorResult<ServerEvent>,
    events: AsyncIterator<ServerEvent>,
    failure: (error: ApiError) => readonly ServerEvent[],
    { sent, end }: { sent(event: ServerEvent): void; end(): void },
  ): AsyncGenerator<ServerEvent> {
    try {
      for (let step = first; !step.done; step = await events.next()) {
        sent(step.value);
        yield step.value;
      }
    } catch (error) {
      for (const event of failure(told(error))) {
        sent(event);
        yield event;
      }
    } finally {
      await events.return?.();
      end();
    }
  }

  return {
    loaded,
    told,
    newId,
    seconds: () => Math.floor(now() / 1000),
    serviceFor(model) {
      const service = loaded();
      if (model === undefined || model === service.id || model === 'default') return service;
      return refuse({
        status: 404,
        type: 'invalid_request_error',
        code: 'model_not_found',
        param: 'model',
        message: `There is no model "${model}" here. The only one is "${service.id}".`,
      });
    },
    async body(context) {
      const text = await context.req.text();
      watch.of(context).asked(text);
      try {
        return JSON.parse(text) as unknown;
      } catch (error) {
        return badRequest(`The body is not JSON: ${(error as Error).message}.`);
      }
    },
    async admitted(context, service, run) {
      const gone = new AbortController();
      const signal = AbortSignal.any([gone.signal, context.req.raw.signal]);
      const watched = watch.of(context);
      const leave = await admission.enter(signal);
      if (!leave) return clientGone();
      let streams = false;
      try {
        return await run({
          signal,
          generate: (prompt, options) =>
            watched.turn(rawTurn(rawParts(service).engine, prompt, { ...options, signal })),
          turn: (request, callId = () => `call_${newId()}`) =>
            watched.turn(service.turn(request, signal, callId)),
          async stream(events, failure = error => [{ data: errorBody(error) }], idle) {
            const first = await events.next();
            streams = true;
            const told = watched.stream();
            const atEnd = () => {
              leave();
              told.end();
            };
            return eventStream(
              rest(first, events, failure, { sent: event => told.sent(written(event)), end: atEnd }),
              {
                keepAlive,
                onCancel: () => gone.abort(),
                ...(idle ? { idle } : {}),
              },
            );
          },
        });
      } catch (error) {
        if (signal.aborted) return clientGone();
        throw error;
      } finally {
        if (!streams) leave();
      }
    },
  };
}

/** Nobody reads it; it is there for the log. */
function clientGone(): Response {
  return new Response(null, { status: 499 });
}

/** Events without a name, and the end that OpenAI's clients wait for. */
export async function* dataEvents(chunks: AsyncIterable<unknown>): AsyncGenerator<ServerEvent> {
  for await (const data of chunks) yield { data };
  yield { data: '[DONE]' };
}
