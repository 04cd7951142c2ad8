/** The routes. Whatever a model writes is an answer; whatever goes wrong is an error in the shape of the API that was asked. */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Access, guardAccess } from './access.ts';
import { messageError } from './anthropic/error.ts';
import { addMessages, messagesPath } from './anthropic/messages.ts';
import { type ApiError, errorBody, refuse } from './api-error.ts';
import { type ExchangeOptions, openExchange } from './exchange.ts';
import { openMetrics } from './metrics.ts';
import { addChat } from './openai/chat.ts';
import { addCompletions } from './openai/completions.ts';
import { addResponses } from './openai/responses.ts';
import { addParse } from './rawcall/parse.ts';
import { addRender } from './rawcall/render.ts';
import { addTools } from './rawcall/tools.ts';
import type { Service } from './service.ts';
import { type ChatRecord, openWatch } from './watch.ts';

export interface AppOptions extends Omit<ExchangeOptions, 'watch'> {
  readonly access?: Access;
  /** Whether thoughts are given out where a request does not say. Default: they are. */
  readonly reasoningContent?: boolean;
  /** Of a request's body, in bytes. Default: 16 MiB. */
  readonly maxBody?: number;
  /** Gets each request that had a body, when its answer has ended. */
  readonly onChat?: (record: ChatRecord) => void;
  /** Answers what lies below `/play`, by rules of its own. Nothing while it isn't there yet. */
  readonly play?: (request: Request) => Response | Promise<Response> | undefined;
}

export function createApp(options: AppOptions): Hono {
  const { maxBody = 16 * 1024 * 1024, reasoningContent = true } = options;
  const { admission, now, onChat } = options;
  const metrics = openMetrics();
  const watch = openWatch({ metrics, now, ...(onChat ? { onChat } : {}) });
  const exchange = openExchange({ ...options, watch });
  const started = exchange.seconds();
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
  const { play } = options;
  if (play) {
    const answer = (context: Context) => play(context.req.raw) ?? answerError(context, undefined, playLater);
    app.all('/play', answer);
    app.all('/play/*', answer);
  }
  app.use(watch.middleware);
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
  app.get('/metrics', context =>
    context.text(metrics.text(admission), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    }),
  );
  app.get('/v1/models', context => context.json({ object: 'list', data: [modelObject(exchange.loaded())] }));
  app.get('/v1/models/:id{.+}', context => {
    const { id } = context.req.param();
    return context.json(modelObject(exchange.serviceFor(id)));
  });
  app.post('/v1/embeddings', () =>
    refuse({
      status: 501,
      type: 'invalid_request_error',
      code: 'no_embeddings',
      message: 'This server makes no embeddings: its model writes text.',
    }),
  );
  addChat(app, exchange, reasoningContent);
  addCompletions(app, exchange);
  addResponses(app, exchange, reasoningContent);
  addMessages(app, exchange);
  addRender(app, exchange);
  addParse(app, exchange);
  addTools(app, exchange);
  return app;

  function modelObject({ id }: Service) {
    return { id, object: 'model', created: started, owned_by: 'rawcall' };
  }

  function answerError(context: Context, error: unknown, api: ApiError = exchange.told(error)): Response {
    if (api.retryAfter !== undefined) context.header('retry-after', String(api.retryAfter));
    const body = context.req.path.startsWith(messagesPath) ? messageError(api) : errorBody(api);
    return context.json(body, api.status);
  }
}

const playLater: ApiError = {
  status: 503,
  type: 'server_error',
  code: 'model_loading',
  message: 'The playground is there when the model is. Try again in a moment.',
  retryAfter: 1,
};
