/** `rawcall mcp add` and `rawcall mcp remove`. */
import { RawcallError } from '../../../parsers/error.ts';
import { nearest } from '../../nearest.ts';
import { exitCodes, usageError } from '../exit.ts';
import { visible, writeOut } from '../output.ts';
import type { Context } from '../program.ts';
import { notice } from '../show.ts';
import { plainSecrets, secretNotice } from './secrets.ts';
import { type Entry, openServerFile } from './server-file.ts';

interface AddOptions {
  readonly url?: string;
  readonly header?: readonly string[];
  readonly env?: readonly string[];
  readonly force?: true;
}

export async function addServer(
  name: string,
  command: readonly string[],
  { values }: Context<AddOptions>,
): Promise<number> {
  const entry = entryOf(command, values);
  const own = await openServerFile(values);
  const known = own.entries.has(name);
  if (known && !values.force)
    throw usageError(
      `${own.file} has a server "${name}" already. Give another name, or --force to replace it.`,
    );
  await own.put(name, entry);
  await writeOut(`${known ? 'Replaced' : 'Added'} ${visible(name)} in ${own.file}\n`);
  const secrets = plainSecrets(entry);
  if (secrets.length > 0) notice(secretNotice(own.file, name, secrets));
  return exitCodes.answered;
}

function entryOf([command, ...args]: readonly string[], { url, header = [], env = [] }: AddOptions): Entry {
  if (url !== undefined && command !== undefined)
    throw usageError('A server has a command or a --url, not both.');
  if (url !== undefined) {
    if (env.length > 0) throw usageError('--env is for a server with a command; with --url, give --header.');
    return { url, ...(header.length > 0 ? { headers: pairs(header, '--header') } : {}) };
  }
  if (command === undefined)
    throw usageError('How is the server reached? rawcall mcp add NAME -- COMMAND ARGS…, or --url URL.');
  if (header.length > 0)
    throw usageError('--header is for a server with a --url; with a command, give --env.');
  return {
    command,
    ...(args.length > 0 ? { args } : {}),
    ...(env.length > 0 ? { env: pairs(env, '--env') } : {}),
  };
}

function pairs(given: readonly string[], flag: string): Record<string, string> {
  return Object.fromEntries(
    given.map(pair => {
      const at = pair.indexOf('=');
      if (at < 1) throw usageError(`${flag} "${pair}" must be NAME=VALUE.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

export async function removeServer(name: string, { values }: Context): Promise<number> {
  const own = await openServerFile(values);
  if (!own.entries.has(name)) {
    const known = [...own.entries.keys()];
    const meant = nearest(name, known);
    const remedy = meant ? `Did you mean "${meant}"?` : `It has ${known.join(', ') || 'none'}.`;
    throw new RawcallError('unknown_mcp_server', `${own.file} has no server "${name}". ${remedy}`, { name });
  }
  await own.remove(name);
  await writeOut(`Removed ${visible(name)} from ${own.file}\n`);
  return exitCodes.answered;
}
