/** How long a grammar for many tools takes to build, and how large it is. */
import type { ToolDefinition } from '../parsers/parser.ts';
import { toolCallJson } from '../parsers/tool-call-json.ts';
import { best } from './best.ts';
import type { Row } from './row.ts';

const repeats = 30;

export function grammarRows(): Row[] {
  const build = (count: number) => () => toolCallJson.grammar!(manyTools(count)).gbnf.length;
  const size = build(50)();
  return [
    {
      name: 'grammar for 50 tools, not cached',
      value: best(build(50), repeats),
      unit: 'ms',
      note: `${Math.round(size / 1000)} kB of GBNF, 8 arguments each, best of ${repeats}, target ≤ 20`,
    },
    {
      name: 'grammar for 1 tool, not cached',
      value: best(build(1), repeats),
      unit: 'ms',
      note: `best of ${repeats}`,
    },
  ];
}

let made = 0;

/** Tools as people write them, never twice the same, so that nothing is found in a cache. */
function manyTools(count: number): ToolDefinition[] {
  made++;
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${made}_${index}`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to look for', minLength: 1 },
        limit: { type: 'integer', minimum: 1, maximum: 50 + index },
        order: { type: 'string', enum: ['newest', 'oldest', 'relevance', `kind-${index}`] },
        since: { type: 'string', format: 'date' },
        price: { type: 'number', minimum: 0, exclusiveMaximum: 10_000 },
        tags: { type: 'array', items: { type: 'string', pattern: '^[a-z][a-z0-9-]{1,30}$' }, maxItems: 10 },
        place: { anyOf: [{ $ref: '#/$defs/place' }, { type: 'null' }] },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['query', 'limit'],
      additionalProperties: false,
      $defs: {
        place: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            within: { $ref: '#/$defs/place' },
            at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], minItems: 2 },
          },
          required: ['name'],
        },
      },
    },
  }));
}
