/** The lab and the recorded runs alone, over HTTP, without the playground around them. */
import { Hono } from 'hono';
import { RawcallError } from '../../parsers/error.ts';
import { addLab } from '../../src/playground/lab.ts';
import { addRuns, type RunsOptions } from '../../src/playground/runs.ts';
import { apiErrorOf } from '../../src/server/api-error.ts';
import { type Listening, listen } from '../../src/server/listen.ts';
import type { RawParts } from '../../src/server/service.ts';

export interface ApiServer extends Listening {
  /** Without a body it is a GET. */
  fetch(path: string, body?: object, signal?: AbortSignal): Promise<Response>;
  /** @throws what was answered, where that is no success */
  ask<Answer>(path: string, body?: object): Promise<Answer>;
  /** How many hold the model. */
  borrowed(): number;
}

export async function labServer(model?: RawParts): Promise<ApiServer> {
  let borrowed = 0;
  const take = async () => {
    if (!model) throw new RawcallError('model_not_found', 'There is no model.');
    borrowed++;
    return { ...model, [Symbol.dispose]: () => void borrowed-- };
  };
  const app = new Hono();
  addLab(app, { take, present: async () => (model ? take() : undefined) });
  return served(app, () => borrowed);
}

export function runsServer(options: RunsOptions): Promise<ApiServer> {
  const app = new Hono();
  addRuns(app, options);
  return served(app);
}

async function served(app: Hono, borrowed = () => 0): Promise<ApiServer> {
  app.onError((error, context) => {
    if (!RawcallError.isInstance(error)) throw error;
    const { status } = apiErrorOf(error);
    const { code, message } = error;
    return context.json({ error: { code, message } }, status === 500 ? 400 : status);
  });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${listening.port}/`;

  function ask(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    return fetch(url + path, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
  }

  return {
    ...listening,
    borrowed,
    fetch: ask,
    async ask<Answer>(path: string, body?: object) {
      const answer = await ask(path, body);
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Answer;
    },
  };
}
