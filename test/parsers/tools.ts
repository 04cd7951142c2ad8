/** Tools of a small library, for completions to call. */
import type { ToolDefinition } from '../../parsers/parser.ts';

const text = { type: 'string' };
const object = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
});

export const tools: readonly ToolDefinition[] = [
  {
    name: 'find_book',
    inputSchema: object(
      { title: text, limit: { type: 'integer' }, shelves: { type: 'array', items: text } },
      'title',
    ),
  },
  {
    name: 'lend',
    inputSchema: object(
      {
        book: { type: 'integer' },
        reader: text,
        extend: { type: 'boolean' },
        note: { type: ['string', 'null'] },
      },
      'book',
      'reader',
    ),
  },
  { name: 'opening_hours', inputSchema: object({ day: { type: 'string', enum: ['monday', 'sunday'] } }) },
  {
    name: 'annotate',
    inputSchema: object(
      { text, where: object({ page: { type: 'integer' }, line: { type: 'integer' } }) },
      'text',
    ),
  },
  { name: 'weigh', inputSchema: object({ grams: { type: 'number' }, code: text }, 'grams') },
  { name: 'library.close', inputSchema: object({}) },
  { name: 'code_interpreter', inputSchema: object({ code: text }, 'code') },
];
