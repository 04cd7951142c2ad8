/** `POST /v1/messages` and `POST /v1/messages/count_tokens`: Anthropic's API. */
import type { Hono } from 'hono';
import { refuse } from '../api-error.ts';
import type { Exchange } from '../exchange.ts';
import { typedEvent, typedEvents } from '../sse.ts';
import { messageEvents, wholeMessage } from './answer.ts';
import { messageError } from './error.ts';
import { readMessagesRequest } from './request.ts';

export const messagesPath = '/v1/messages';

export function addMessages(app: Hono, exchange: Exchange): void {
  app.post(messagesPath, async context => {
    const { model, turn, stream, thinking } = readMessagesRequest(await exchange.body(context));
    const service = exchange.serviceFor(model);
    const head = { id: `msg_${exchange.newId()}`, model: service.id, stops: turn.stop };
    const answer = { reasoning: thinking, countTokens: service.countTokens };
    return exchange.admitted(context, service, async place => {
      const events = place.turn(turn, () => `toolu_${exchange.newId()}`);
      if (!stream) return context.json(await wholeMessage(events, head, answer));
      return place.stream(
        typedEvents(messageEvents(events, head, answer)),
        error => [typedEvent(messageError(error))],
        typedEvent({ type: 'ping' }),
      );
    });
  });

  app.post(`${messagesPath}/count_tokens`, async context => {
    const { model, turn } = readMessagesRequest(await exchange.body(context));
    const count = exchange.serviceFor(model).countPrompt(turn);
    if (count !== undefined) return context.json({ input_tokens: count });
    return refuse({
      status: 501,
      type: 'server_error',
      message: 'This model has no tokenizer here: its prompts cannot be counted.',
    });
  });
}
