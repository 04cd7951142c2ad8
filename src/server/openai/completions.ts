/** `POST /v1/completions`: prompts of a client's own. */
import type { Hono } from 'hono';
import { RawcallError } from '../../../parsers/error.ts';
import { badRequest } from '../api-error.ts';
import { dataEvents, type Exchange } from '../exchange.ts';
import type { RawEvent } from '../raw-turn.ts';
import { rawParts } from '../service.ts';
import { textChunks, textCompletion } from './completion-answer.ts';
import { readCompletionRequest } from './completion-request.ts';

export function addCompletions(app: Hono, exchange: Exchange): void {
  app.post('/v1/completions', async context => {
    const request = readCompletionRequest(await exchange.body(context));
    const service = exchange.serviceFor(request.model);
    const { engine } = rawParts(service);
    const prompt = request.prompt(engine);
    const head = { id: `cmpl-${exchange.newId()}`, created: exchange.seconds(), model: service.id };
    const answer = { ...request, logprobs: request.options.logprobs !== undefined };
    return exchange.admitted(context, service, async place => {
      const events = itsOwnGrammar(place.generate(prompt, request.options), request.grammarField);
      if (!request.stream) return context.json(await textCompletion(events, head, answer));
      return place.stream(dataEvents(textChunks(events, head, answer)));
    });
  });
}

/** A grammar that cannot be read is the client's own. */
async function* itsOwnGrammar(events: AsyncIterable<RawEvent>, field: string): AsyncGenerator<RawEvent> {
  try {
    yield* events;
  } catch (error) {
    if (RawcallError.isInstance(error) && error.code === 'bad_grammar') badRequest(error.message, field);
    throw error;
  }
}
