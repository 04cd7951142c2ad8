/** `rawcall mcp import`: the servers that desktop apps and editors have, and a copy of them among ours. Theirs are only read. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { RawcallError } from '../../../parsers/error.ts';
import { type Fields, isFields } from '../../../templates/check.ts';
import { jsonLine } from '../../json.ts';
import { nearest } from '../../nearest.ts';
import { exitCodes, usageError } from '../exit.ts';
import { visible, writeOut } from '../output.ts';
import type { Context } from '../program.ts';
import { notice } from '../show.ts';
import { textTable } from '../text-table.ts';
import { type AppFile, anyPlaces, appFiles } from './known-apps.ts';
import { plainSecrets, secretNotice } from './secrets.ts';
import { type Entry, openServerFile, type ServerFile } from './server-file.ts';
import { type Translation, translate } from './translate.ts';

interface ImportOptions {
  readonly all?: true;
  readonly force?: true;
}

interface Found extends Translation {
  readonly app: string;
  readonly file: string;
  readonly name: string;
}

export async function importServers(
  source: string | undefined,
  names: readonly string[],
  { values }: Context<ImportOptions>,
): Promise<number> {
  const own = await openServerFile(values);
  const found = filesOf(source).flatMap(serversOf);
  if (names.length === 0 && !values.all) {
    await list(found, own, values.json === true);
    return exitCodes.answered;
  }
  if (source === undefined && values.all)
    throw usageError('Of which app, or which file? rawcall mcp import lists what there is.');
  const known = [...new Set(found.map(({ name }) => name))];
  for (const name of names) {
    if (known.includes(name)) continue;
    const meant = nearest(name, known);
    const remedy = meant ? `Did you mean "${meant}"?` : `There is ${known.join(', ') || 'none'}.`;
    throw new RawcallError('unknown_mcp_server', `${source} has no server "${name}". ${remedy}`, { name });
  }
  const chosen = values.all ? known : [...new Set(names)];
  const codes: number[] = [];
  for (const name of chosen) codes.push(await copy(found.find(one => one.name === name)!, own, values.force));
  return Math.max(...codes, exitCodes.answered);
}

async function copy({ name, entry, notes, file }: Found, own: ServerFile, force?: true): Promise<number> {
  const failed = (why: string) => {
    notice(`"${name}" of ${file} was not copied: ${why}`);
    return exitCodes.error;
  };
  if (!entry) return failed(`${notes.join('; ')}.`);
  const there = stateOf(name, entry, own);
  if (there === 'other' && !force)
    return failed(`${own.file} has another server of that name (see --force).`);
  if (there !== 'same') {
    try {
      await own.put(name, entry);
    } catch (error) {
      if (!RawcallError.isInstance(error)) throw error;
      return failed(error.message);
    }
  }
  await writeOut(`${there === 'same' ? 'Already there' : 'Copied'}: ${visible(name)} in ${own.file}\n`);
  for (const note of notes) notice(`"${name}": ${note}.`);
  const secrets = plainSecrets(entry);
  if (secrets.length > 0) notice(secretNotice(own.file, name, secrets));
  return exitCodes.answered;
}

/** @throws RawcallError `usage`, `bad_file` */
function filesOf(source: string | undefined): AppFile[] {
  const known = appFiles({
    platform: process.platform,
    home: homedir(),
    folder: process.cwd(),
    env: process.env,
  });
  const here = known.filter(({ file }) => existsSync(file));
  if (source === undefined) return here;
  const apps = [...new Set(known.map(({ app }) => app))];
  if (apps.includes(source)) return here.filter(({ app }) => app === source);
  if (!existsSync(source)) {
    const message = `${source} is neither a file nor an app that is known here (${apps.join(', ')}).`;
    throw new RawcallError('bad_file', message, { file: source });
  }
  const file = path.resolve(source);
  const app = known.find(one => one.file === file);
  return [app ?? { app: 'file', file, workspace: workspaceOf(file), places: anyPlaces }];
}

/** `.vscode/mcp.json` and its like speak of the folder above. */
function workspaceOf(file: string): string {
  const folder = path.dirname(file);
  return path.basename(folder).startsWith('.') ? path.dirname(folder) : folder;
}

function serversOf({ app, file, workspace, places }: AppFile): Found[] {
  const root = parseTree(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  if (!root) {
    notice(`${file} is no JSON; it is passed over.`);
    return [];
  }
  const servers = places.map(place => valueAt(root, place)).find(isFields) ?? {};
  const listed = valueAt(root, ['inputs']) ?? valueAt(root, ['mcp', 'inputs']);
  const inputs = new Map(
    (Array.isArray(listed) ? listed : [])
      .filter(isFields)
      .map((one): [string, Fields] => [String(one.id), one]),
  );
  const source = { app, home: homedir(), inputs, ...(workspace === undefined ? {} : { workspace }) };
  return Object.entries(servers).map(([name, entry]) => ({ app, file, name, ...translate(entry, source) }));
}

function valueAt(root: Node, place: readonly string[]): unknown {
  const node = findNodeAtLocation(root, [...place]);
  return node && getNodeValue(node);
}

type State = 'new' | 'same' | 'other';

function stateOf(name: string, entry: Entry, own: ServerFile): State {
  const there = own.entries.get(name);
  if (there === undefined) return 'new';
  return isDeepStrictEqual(there, entry) ? 'same' : 'other';
}

const stateWords = { new: '', same: 'already there', other: 'another one of that name is there' } as const;

async function list(found: readonly Found[], own: ServerFile, json: boolean): Promise<void> {
  const rows = found.map(({ app, name, file, entry, notes }) => {
    const state = entry ? stateOf(name, entry, own) : undefined;
    return { app, server: name, reached: entry ? reached(entry) : '', file, state, notes };
  });
  if (json) {
    for (const row of rows) await writeOut(`${jsonLine(row)}\n`);
    return;
  }
  if (rows.length === 0) return writeOut('No servers found.\n');
  const words = rows.map(({ app, server, reached, file, state, notes }) => [
    app,
    visible(server),
    visible(reached),
    file,
    state ? stateWords[state] : notes.join('; '),
  ]);
  await writeOut(textTable(['app', 'server', 'reached by', 'file', ''], words));
  await writeOut(`\nrawcall mcp import APP NAME… copies them to ${own.file}; --all copies all of an app.\n`);
}

/** Arguments and a query may hold secrets. */
function reached({ command, url }: Entry): string {
  if (typeof command === 'string') return command;
  return String(url).replace(/[?#].*$/s, '');
}
