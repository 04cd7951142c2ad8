/** `POST /v1/responses`: one turn of a conversation that the client sends as a whole, for nothing is stored here. */
import type { Hono } from 'hono';
import type { Exchange } from '../exchange.ts';
import { typedEvent, typedEvents } from '../sse.ts';
import { openResponse, wholeResponse } from './responses-answer.ts';
import { readResponsesRequest } from './responses-request.ts';

/** @param reasoning whether thoughts are given out, as items */
export function addResponses(app: Hono, exchange: Exchange, reasoning: boolean): void {
  const { newId } = exchange;
  app.post('/v1/responses', async context => {
    const { model, turn, stream, repeated } = readResponsesRequest(await exchange.body(context));
    const service = exchange.serviceFor(model);
    const response = openResponse(
      { id: `resp_${newId()}`, created: exchange.seconds(), model: service.id, repeated },
      { reasoning, countTokens: service.countTokens, newId },
    );
    return exchange.admitted(context, service, async place => {
      const events = response.events(place.turn(turn));
      if (!stream) return context.json(await wholeResponse(events));
      return place.stream(typedEvents(events), error => [typedEvent(response.failure(error))]);
    });
  });
}
