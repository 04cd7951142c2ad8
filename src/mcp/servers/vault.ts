/** `rawcall mcp-server vault DIR`: a folder of Markdown notes (an Obsidian vault), read only. */
import { RawcallError } from '../../../parsers/error.ts';
import { stringArgument } from './arguments.ts';
import type { BuiltInServer } from './built-in.ts';
import { maxListed, type Notes, openNotes } from './vault-notes.ts';
import { noteResources } from './vault-resources.ts';
import { searchNotes } from './vault-search.ts';

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
  start: async args => {
    const [folder, ...more] = args;
    if (folder === undefined || more.length > 0) {
      throw new RawcallError(
        'bad_mcp_server_arguments',
        'The vault server takes one folder: rawcall mcp-server vault DIR',
        { args },
      );
    }
    const notes = await openNotes(folder);
    return {
      handlers: {
        list_notes: () => listing(notes),
        get_note: args => notes.read(stringArgument(args, 'uri')),
        search_notes: args => searchNotes(notes, stringArgument(args, 'query')),
      },
      resources: noteResources(notes),
    };
  },
};

async function listing(notes: Notes): Promise<string> {
  const uris = await notes.list();
  if (uris.length === 0) return 'There are no notes.';
  const left = uris.length - maxListed;
  return [...uris.slice(0, maxListed), ...(left > 0 ? [`(and ${left} more)`] : [])].join('\n');
}
