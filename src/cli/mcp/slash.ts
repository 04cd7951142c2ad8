/** The commands of a chat that are about its servers. */
import { RawcallError } from '../../../parsers/error.ts';
import type { ServerFeatures } from '../../mcp/features.ts';
import type { Host } from '../../mcp/host.ts';
import type { Session } from '../session.ts';
import { notice } from '../show.ts';
import type { Slash } from '../slash.ts';
import { serverTable } from './list.ts';
import { serverAt } from './mentions.ts';
import { featuresOf, named } from './open.ts';
import { promptsOf, promptTable } from './prompts.ts';
import { resourcesOf, resourceTable } from './resources.ts';

export const serverCommands: Readonly<Record<string, Slash>> = {
  '/servers': {
    help: 'the MCP servers and how they fare',
    run: async ({ host }) => {
      await host.settled();
      const rows = host.servers.map(server => ({ ...server, tools: server.tools.length }));
      tell(rows.length === 0 ? undefined : serverTable(rows), 'There are no servers.');
    },
  },
  '/resources': {
    help: '[SERVER]: what @SERVER:URI in a question attaches',
    run: (session, server) => tellAll(session, server, resourcesOf, resourceTable, 'There are no resources.'),
  },
  '/prompts': {
    help: '[SERVER]: what /SERVER:PROMPT runs',
    run: (session, server) => tellAll(session, server, promptsOf, promptTable, 'There are no prompts.'),
  },
  '/watch': {
    help: 'SERVER:URI: say when that resource changes',
    run: (session, rest) => watch(session, rest, 'subscribe', 'Its changes are told from now on.'),
  },
  '/unwatch': {
    help: 'SERVER:URI: no longer',
    run: (session, rest) => watch(session, rest, 'unsubscribe', 'Its changes are no longer told.'),
  },
};

function tell(text: string | undefined, otherwise: string): void {
  if (text === undefined) notice(otherwise);
  else process.stderr.write(text);
}

async function tellAll<Item>(
  { host }: Session,
  server: string,
  each: (features: ServerFeatures, server: string) => Promise<readonly Item[]>,
  table: (items: readonly Item[]) => string,
  none: string,
): Promise<void> {
  await told(async () => {
    await host.settled();
    const servers =
      server === '' ? host.servers.filter(({ state }) => state === 'ready') : [named(host.servers, server)];
    const items: Item[] = [];
    for (const { name } of servers)
      await told(async () => {
        items.push(...(await each(featuresOf(host, name), name)));
      });
    tell(items.length === 0 ? undefined : table(items), none);
  });
}

async function watch(
  { host }: Session,
  rest: string,
  method: 'subscribe' | 'unsubscribe',
  done: string,
): Promise<void> {
  await told(async () => {
    const { server, uri } = resourceIn(rest, host);
    await featuresOf(host, server)[method](uri);
    notice(done);
  });
}

function resourceIn(rest: string, host: Host): { readonly server: string; readonly uri: string } {
  const words = rest.replace(/^@/, '');
  const names = host.servers.map(({ name }) => name);
  const server = serverAt(words, 0, names);
  const uri = words.slice((server?.length ?? 0) + 1).trim();
  if (server !== undefined && uri !== '') return { server, uri };
  const [wanted = ''] = words.split(':');
  if (server === undefined && words.includes(':')) named(host.servers, wanted);
  throw new RawcallError('usage', 'Which resource? Write SERVER:URI; /resources lists them.');
}

/** What goes wrong ends the command and not the chat. */
async function told(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => notice(error instanceof Error ? error.message : String(error)));
}
