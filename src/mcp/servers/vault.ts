/** `rawcall mcp-server vault DIR`: a folder of Markdown notes (an Obsidian vault), read only. */
import type { BuiltInServer } from './built-in.ts';

const annotations = { readOnlyHint: true, openWorldHint: false };

export const vault: BuiltInServer = {
  name: 'vault',
  tools: [
    {
      name: 'list_notes',
      description: 'List all notes.',
      inputSchema: { type: 'object', properties: {} },
      annotations,
    },
    {
      name: 'get_note',
      description: 'Read one note.',
      inputSchema: {
        type: 'object',
        properties: { uri: { type: 'string', description: 'Such as garden/roses.md.' } },
        required: ['uri'],
      },
      annotations,
    },
    {
      name: 'search_notes',
      description: 'Find notes that contain words.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      annotations,
    },
  ],
};
