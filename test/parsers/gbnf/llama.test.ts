/** llama.cpp itself reads the grammars, and writes calls under them: with the practice model, which has never seen these tools. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ToolDefinition } from '../../../parsers/parser.ts';
import { type LlamaEngine, openLlamaEngine } from '../../../src/engine/llama.ts';
import { complete, practiceModel, question } from '../../engine/practice.ts';
import { eventsOf } from '../syntax.ts';
import { syntaxes } from '../syntaxes/index.ts';

let engine: LlamaEngine;
beforeAll(async () => {
  engine = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize: 2048 });
});
afterAll(() => engine.close());

/** Short in every part, so that a model that knows nothing comes to an end. */
const tools: readonly ToolDefinition[] = [
  {
    name: 'book_room',
    inputSchema: {
      type: 'object',
      properties: {
        city: { enum: ['Oslo', 'Rome', 'New "York"', '<tool_call>'] },
        nights: { type: 'integer', minimum: 1, maximum: 30 },
        price: { type: 'number', minimum: 0.5, exclusiveMaximum: 9 },
        from: { type: 'string', format: 'date' },
        guests: {
          type: 'array',
          minItems: 1,
          maxItems: 2,
          items: { $ref: '#/$defs/guest' },
        },
        code: { type: 'string', pattern: '^[A-Z]{2}(?:-\\d{1,2}){2}$' },
      },
      required: ['city', 'nights', 'price', 'from', 'guests', 'code'],
      $defs: {
        guest: {
          type: 'object',
          properties: { name: { type: 'string', pattern: '^[A-Za-z]{1,5}$' }, with: { type: 'null' } },
          required: ['name', 'with'],
          additionalProperties: false,
        },
      },
    },
  },
  { name: 'book', inputSchema: { type: 'object', properties: {} } },
];

test.each(syntaxes.filter(({ parser }) => parser.grammar))('$name', async ({ parser }) => {
  const { controlTokens } = engine;
  for (const tool of tools) {
    const { gbnf } = parser.grammar!(tools, { only: [tool.name], parallel: false });
    const sampling = { temperature: 1.2, topK: 200, topP: 1, seed: 11 };
    const { pieces, text, reason } = await complete(engine, question('Book a room'), {
      grammar: gbnf,
      sampling,
      maxTokens: 600,
    });
    expect({ text, reason }).toEqual({ text, reason: 'stop' });
    const stops = [pieces.at(-1)!.text];
    const events = eventsOf(parser, pieces, { tools, stops, ...(controlTokens ? { controlTokens } : {}) });
    const ends = events.filter(event => !['call-start', 'call-delta'].includes(event.type));
    expect(ends).toMatchObject([{ type: 'call-end', call: { name: tool.name } }]);
  }
});
