/** `POST /v1/chat/completions`. */
import type { Hono } from 'hono';
import { dataEvents, type Exchange } from '../exchange.ts';
import { chatChunks, chatCompletion } from './chat-answer.ts';
import { readChatRequest } from './chat-request.ts';

/** @param reasoningContent whether thoughts are given out where a request does not say */
export function addChat(app: Hono, exchange: Exchange, reasoningContent: boolean): void {
  app.post('/v1/chat/completions', async context => {
    const request = readChatRequest(await exchange.body(context));
    const service = exchange.serviceFor(request.model);
    const head = { id: `chatcmpl-${exchange.newId()}`, created: exchange.seconds(), model: service.id };
    const answer = {
      reasoning: request.reasoningContent ?? reasoningContent,
      countTokens: service.countTokens,
      includeUsage: request.includeUsage,
      logprobs: request.turn.logprobs !== undefined,
    };
    return exchange.admitted(context, service, async place => {
      const events = place.turn(request.turn);
      if (!request.stream) return context.json(await chatCompletion(events, head, answer));
      return place.stream(dataEvents(chatChunks(events, head, answer)));
    });
  });
}
