/** Notes as MCP resources: `note:///garden/roses.md`, each part percent-encoded. */
import type { Resources } from './built-in.ts';
import type { Notes } from './vault-notes.ts';

const mimeType = 'text/markdown';

export function noteResources(notes: Notes): Resources {
  return {
    template: { uriTemplate: 'note:///{+path}', name: 'note', mimeType },
    list: async () =>
      (await notes.list()).map(uri => ({
        uri: `note:///${uri.split('/').map(encodeURIComponent).join('/')}`,
        name: uri,
        mimeType,
      })),
    read: async uri => ({ text: await notes.read(uri), mimeType }),
  };
}
