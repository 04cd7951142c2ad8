/** Whether a new model works at all: it is loaded, a prompt is rendered, and one call read that a grammar held it to. */
import type { ToolDefinition } from '../../../parsers/parser.ts';
import { rawModel } from '../../model/raw.ts';
import type { Lifetime } from '../lifetime.ts';
import { openModel } from '../open-model.ts';
import type { Values } from '../settings.ts';

export interface Tried {
  readonly format: string;
  /** Of the prompt. */
  readonly tokens?: number;
  /** Absent where the format has no grammar to hold it to, and it made none. */
  readonly call?: { readonly name: string; readonly argumentsText: string };
}

/** So little is left open that any weights, and random ones, come to a call. */
const ping: ToolDefinition = {
  name: 'ping',
  description: 'Asks whether somebody is there.',
  inputSchema: {
    type: 'object',
    properties: { whom: { type: 'string', enum: ['model'] } },
    required: ['whom'],
    additionalProperties: false,
  },
};

/** @throws what `openModel` throws */
export async function tryModel(values: Values, lifetime: Lifetime): Promise<Tried> {
  const { engine, format } = await openModel({ contextSize: 1024, ...values, cache: false }, lifetime);
  const model = rawModel(engine, format);
  const messages = [{ role: 'user', content: 'Ping the model.' }] as const;
  const conversation = { messages, tools: [ping] };
  const turn = model.turn(model.render(conversation), {
    purpose: 'decision',
    constrain: 'required',
    parallel: false,
    maxTokens: 128,
  });
  let tried: Tried = { format: format.name };
  for await (const event of turn) {
    if (event.type === 'turn-start' && event.tokens !== undefined) tried = { ...tried, tokens: event.tokens };
    if (event.type === 'call-end') {
      const { name, argumentsText } = event.call;
      tried = { ...tried, call: { name, argumentsText } };
    }
  }
  return tried;
}
