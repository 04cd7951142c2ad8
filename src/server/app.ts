/** The routes. Whatever a model writes is an answer; whatever goes wrong is an error in OpenAI's shape. */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Access, guardAccess } from './access.ts';
import type { Admission } from './admission.ts';
import { type ApiError, apiErrorOf, badRequest, errorBody, refuse } from './api-error.ts';
import { chatChunks, chatCompletion } from './openai/chat-answer.ts';
import { readChatRequest } from './openai/chat-request.ts';
import type { Service } from './service.ts';
import { eventStream, type ServerEvent } from './sse.ts';

export interface AppOptions {
  /** Nothing until the model is there. */
  readonly service: () => Service | undefined;
  readonly admission: Admission;
  readonly access?: Access;
  /** Whether thoughts are given out where a request does not say. Default: they are. */
  readonly reasoningContent?: boolean;
  /** Of a request's body, in bytes. Default: 16 MiB. */
  readonly maxBody?: number;
  /** Milliseconds of silence after which a stream is kept alive. Default: 10 s. */
  readonly keepAlive?: number;
  /** In ms since 1970. */
  readonly now: () => number;
  /** A new one each time, of letters and digits. */
  readonly newId: () => string;
  /** What is no fault of the client. */
  readonly onError: (error: unknown) => void;
}

export function createApp(options: AppOptions): Hono {
  const { admission, now, newId, onError } = options;
  const { maxBody = 16 * 1024 * 1024, keepAlive = 10_000, reasoningContent = true } = options;
  const started = now();
  const app = new Hono();

  app.onError((error, context) => answerError(context, error));
  app.notFound(context => {
    const { method, path } = context.req;
    return answerError(context, undefined, {
      status: 404,
      type: 'invalid_request_error',
      code: 'unknown_url',
      message: `There is no ${method} ${path} here.`,
    });
  });
  app.use(guardAccess(options.access ?? {}));
  app.use(
    bodyLimit({
      maxSize: maxBody,
      onError: () =>
        refuse({
          status: 413,
          type: 'invalid_request_error',
          code: 'request_too_large',
          message: `The body has more than ${maxBody} bytes.`,
        }),
    }),
  );

  app.get('/health', context => {
    const ready = options.service() !== undefined;
    return context.json({ status: ready ? 'ok' : 'loading' }, ready ? 200 : 503);
  });
  app.get('/v1/models', context => context.json({ object: 'list', data: [modelObject(loaded())] }));
  app.get('/v1/models/:id{.+}', context => {
    const service = loaded();
    if (context.req.param('id') !== service.id) noModel(context.req.param('id'), service);
    return context.json(modelObject(service));
  });
  app.post('/v1/chat/completions', async context => {
    const service = loaded();
    const request = readChatRequest(await readJson(context));
    checkModel(request.model, service);
    const head = { id: `chatcmpl-${newId()}`, created: Math.floor(now() / 1000), model: service.id };
    const answer = {
      reasoning: request.reasoningContent ?? reasoningContent,
      countTokens: service.countTokens,
      includeUsage: request.includeUsage,
    };
    return admitted(context, async (signal, place) => {
      const events = service.turn(request.turn, signal, () => `call_${newId()}`);
      if (!request.stream) return context.json(await chatCompletion(events, head, answer));
      return place.stream(dataEvents(chatChunks(events, head, answer)));
    });
  });
  return app;

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

  function modelObject({ id }: Service) {
    return { id, object: 'model', created: Math.floor(started / 1000), owned_by: 'rawcall' };
  }

  /** A client that names no model means the only one that there is. */
  function checkModel(model: string | undefined, service: Service): void {
    if (model !== undefined && model !== service.id && model !== 'default') noModel(model, service);
  }

  function noModel(model: string, service: Service): never {
    return refuse({
      status: 404,
      type: 'invalid_request_error',
      code: 'model_not_found',
      param: 'model',
      message: `There is no model "${model}" here. The only one is "${service.id}".`,
    });
  }

  /** Runs a request in its turn, and stops it when its client goes away. */
  async function admitted(
    context: Context,
    run: (signal: AbortSignal, place: Place) => Promise<Response>,
  ): Promise<Response> {
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, context.req.raw.signal]);
    const leave = await admission.enter(signal);
    if (!leave) return clientGone();
    let streams = false;
    try {
      return await run(signal, {
        async stream(events) {
          // What is wrong with the request shows before the first event, and is an error with a status of its own.
          const first = await events.next();
          streams = true;
          const all = told(first, events, leave);
          return eventStream(all, { keepAlive, onCancel: () => gone.abort() });
        },
      });
    } catch (error) {
      if (signal.aborted) return clientGone();
      throw error;
    } finally {
      if (!streams) leave();
    }
  }

  /** The rest of a stream that has begun: an error in it is its last event. */
  async function* told(
    first: IteratorResult<ServerEvent>,
    events: AsyncIterator<ServerEvent>,
    leave: () => void,
  ): AsyncGenerator<ServerEvent> {
    try {
      for (let step = first; !step.done; step = await events.next()) yield step.value;
    } catch (error) {
      yield { data: errorBody(toldError(error)) };
    } finally {
      await events.return?.();
      leave();
    }
  }

  function answerError(context: Context, error: unknown, api = toldError(error)): Response {
    if (api.retryAfter !== undefined) context.header('retry-after', String(api.retryAfter));
    return context.json(errorBody(api), api.status);
  }

  function toldError(error: unknown): ApiError {
    const api = apiErrorOf(error);
    if (api.status === 500) onError(error);
    return api;
  }
}

interface Place {
  /** Answers with a stream, and gives the place up at its end. */
  stream(events: AsyncIterator<ServerEvent>): Promise<Response>;
}

async function readJson(context: Context): Promise<unknown> {
  const text = await context.req.text();
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return badRequest(`The body is not JSON: ${(error as Error).message}.`);
  }
}

/** Nobody reads it; it is there for the log. */
function clientGone(): Response {
  return new Response(null, { status: 499 });
}

/** Events without a name, and the end that OpenAI's clients wait for. */
async function* dataEvents(chunks: AsyncIterable<unknown>): AsyncGenerator<ServerEvent> {
  for await (const data of chunks) yield { data };
  yield { data: '[DONE]' };
}
