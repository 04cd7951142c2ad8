/** `rawcall mcp-server materials`: five records of a stock list, some of them broken, to try a task with. */
import type { BuiltInServer } from './built-in.ts';

const id = { type: 'string', description: 'Such as M-1001.' };
const readOnly = { readOnlyHint: true, openWorldHint: false };

export const materials: BuiltInServer = {
  name: 'materials',
  tools: [
    {
      name: 'search_materials',
      description: 'Find materials by category or words.',
      inputSchema: {
        type: 'object',
        properties: { category: { type: 'string' }, query: { type: 'string' } },
      },
      annotations: readOnly,
    },
    {
      name: 'get_material',
      description: 'Read one material.',
      inputSchema: { type: 'object', properties: { id }, required: ['id'] },
      annotations: readOnly,
    },
    {
      name: 'flag_material',
      description: 'Flag a material as broken.',
      inputSchema: {
        type: 'object',
        properties: { id, reason: { type: 'string' } },
        required: ['id', 'reason'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
  ],
};
