/** The tools of servers, kept from one start to the next in a folder of small files. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ToolListing } from '../mcp/connection.ts';
import type { KnownTools } from '../mcp/known-tools.ts';
import type { StdioServer } from '../mcp/servers.ts';
import { packageVersion } from './package.ts';

/** In milliseconds: a server that was not asked for a week may be another one. */
const keptFor = 7 * 24 * 3600 * 1000;

export function knownTools(folder: string, startAfter: Promise<unknown>): KnownTools {
  const fileOf = (server: StdioServer) => path.join(folder, `${keyOf(server)}.json`);
  return {
    startAfter,
    read(server) {
      // What a server elsewhere shows depends on who is logged in, and it is up already.
      if ('url' in server) return undefined;
      return readListing(fileOf(server));
    },
    keep(server, listing) {
      if ('url' in server) return;
      const file = fileOf(server);
      // A list that is not whole is not one to begin with.
      if (listing.incomplete === undefined) writeListing(file, listing);
      else rmSync(file, { force: true });
    },
  };
}

/** How many servers' tools are kept. */
export function countKnownTools(folder: string): number {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.json')).length;
  } catch {
    return 0;
  }
}

/** Gives how many servers' tools were kept. */
export function clearKnownTools(folder: string): number {
  const count = countKnownTools(folder);
  rmSync(folder, { recursive: true, force: true });
  return count;
}

function readListing(file: string): ToolListing | undefined {
  try {
    const { listed, listing } = JSON.parse(readFileSync(file, 'utf8')) as {
      listed: number;
      listing: ToolListing;
    };
    return Date.now() - listed < keptFor && Array.isArray(listing.tools) ? listing : undefined;
  } catch {
    // Not there, or not readable: the server is asked, as if nothing had been kept.
    return undefined;
  }
}

function writeListing(file: string, listing: ToolListing): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, JSON.stringify({ listed: Date.now(), listing }), { mode: 0o600 });
    renameSync(unfinished, file);
  } catch {
    // A cache that cannot be written costs the next start its time, and no more.
    rmSync(unfinished, { force: true });
  }
}

/** Of all that says which program runs and how; a script that was written again is another program. */
function keyOf({ command, args, env, cwd }: StdioServer): string {
  const files = [command, ...args].map(word => versionOf(path.resolve(cwd ?? '', word)));
  return createHash('sha256')
    .update(JSON.stringify([packageVersion(), command, args, env, cwd ?? process.cwd(), files]))
    .digest('hex')
    .slice(0, 32);
}

function versionOf(file: string): readonly number[] | undefined {
  try {
    const found = statSync(file);
    return found.isFile() ? [found.mtimeMs, found.size] : undefined;
  } catch {
    // Most arguments name no file, and some could not.
    return undefined;
  }
}
