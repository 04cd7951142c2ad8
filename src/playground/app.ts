/** The playground's routes: its page for everybody who may reach this machine, all else for whoever has the token. */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { RawcallError } from '../../parsers/error.ts';
import { type Access, guardAccess } from '../server/access.ts';
import { type ApiError, apiErrorOf, errorBody, refuse } from '../server/api-error.ts';
import type { Desk } from './desk.ts';
import { addDialogueRoutes } from './dialogue-routes.ts';
import type { Dialogues } from './dialogues.ts';
import { deskModel } from './lab/desk-model.ts';
import { addLab } from './lab.ts';
import { addNews } from './news.ts';
import { addPages, pageHeaders } from './pages.ts';
import { addRuns, type RunsOptions } from './runs.ts';

export interface PlaygroundOptions {
  readonly desk: Desk;
  readonly dialogues: Dialogues;
  /** Where recorded runs and evaluations are. */
  readonly runs: RunsOptions;
  /** The folder with the page's files. */
  readonly pages: string;
  readonly access: Pick<Access, 'hosts'>;
  /** What requests below `/play/api` show, as a bearer token. */
  readonly token: string;
  /** What is no fault of the page. */
  readonly onError: (error: unknown) => void;
}

/** Of a request's body, in bytes: a transcript may be dropped on the page. */
const maxBody = 64 * 1024 * 1024;

/** @throws RawcallError `no_playground_page` */
export function createPlayground(options: PlaygroundOptions): Hono {
  const { desk, dialogues, runs, pages, access, token, onError } = options;
  const app = new Hono();
  app.onError((error, context) => {
    const api = toldOf(error);
    if (api.status === 500) onError(error);
    return context.json(errorBody(api), api.status);
  });
  app.notFound(context => {
    const { method, path } = context.req;
    const message = `There is no ${method} ${path} here.`;
    return context.json(
      errorBody({ status: 404, type: 'invalid_request_error', code: 'unknown_url', message }),
      404,
    );
  });
  app.use('/play/*', async (context, next) => {
    for (const [name, value] of Object.entries(pageHeaders)) context.header(name, value);
    await next();
  });
  app.use('/play/*', guardAccess(access));
  app.use('/play/api/*', guardAccess({ ...access, key: token }), async (context, next) => {
    context.header('cache-control', 'no-store');
    await next();
  });
  app.use('/play/api/*', bodyLimit({ maxSize: maxBody, onError: tooLarge }));
  addPages(app, pages);

  const api = new Hono();
  addNews(api, desk, dialogues);
  addDialogueRoutes(api, desk, dialogues);
  addLab(api, deskModel(desk));
  addRuns(api, runs);
  app.route('/play/api', api);
  return app;
}

/** Whoever has the token is the user, who may read what went wrong on the own machine. */
function toldOf(error: unknown): ApiError {
  const api = apiErrorOf(error);
  if (api.status !== 500 || !RawcallError.isInstance(error)) return api;
  return { status: 400, type: 'invalid_request_error', code: error.code, message: error.message };
}

function tooLarge(): never {
  return refuse({
    status: 413,
    type: 'invalid_request_error',
    code: 'request_too_large',
    message: `The body has more than ${maxBody} bytes.`,
  });
}
