/** What the tests of Anthropic's API ask with. */
import Anthropic from '@anthropic-ai/sdk';
import type { TestServer } from './server.ts';

export const add: Anthropic.Tool = {
  name: 'math.add',
  description: 'Adds two numbers.',
  input_schema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
};
export const question: Anthropic.UserMessageParam = { role: 'user', content: 'What is 31 plus 11?' };
export const common = { model: 'practice', max_tokens: 200 };

export function clientOf({ url }: TestServer, apiKey = 'none'): Anthropic {
  return new Anthropic({ baseURL: url, apiKey, maxRetries: 0 });
}

export function post({ url }: TestServer, body: object, path = '/v1/messages'): Promise<Response> {
  return fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify({ ...common, ...body }) });
}
