/** The file with the user's own servers, which `rawcall mcp add`, `remove` and `import` change. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser';
import { RawcallError } from '../../../parsers/error.ts';
import { checkEntry } from '../../mcp/config.ts';
import { openDocument } from '../../mcp/config-document.ts';
import { findConfigFile } from '../config-file.ts';
import type { Values } from '../settings.ts';
import { writeWhole } from '../write-whole.ts';
import { withoutValue, withValue } from './json-edit.ts';
import { anyPlaces } from './known-apps.ts';

/** An entry of `mcpServers`, as it stands there. */
export type Entry = Readonly<Record<string, unknown>>;

export interface ServerFile {
  readonly file: string;
  readonly entries: ReadonlyMap<string, Entry>;
  /**
   * Puts a server in, in the place of another one of that name, and saves.
   *
   * @throws RawcallError `bad_mcp_config` for an entry that rawcall would not take
   */
  put(name: string, entry: Entry): Promise<void>;
  remove(name: string): Promise<void>;
}

/** The one that `--mcp-config` names, else the config file, else a `rawcall.json` that is made here. */
export async function openServerFile({ mcpConfig }: Values): Promise<ServerFile> {
  const file = path.resolve(mcpConfig ?? findConfigFile(process.cwd()) ?? 'rawcall.json');
  let text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '';
    const message = `${file}: it cannot be read (${cause.code}). Name another file with --mcp-config.`;
    throw new RawcallError('bad_mcp_config', message, { file }, cause);
  });
  const entries = readEntries(text, file);

  async function save(changed: string): Promise<void> {
    await writeWhole(file, changed).catch((cause: NodeJS.ErrnoException) => {
      const message = `${file}: it cannot be written (${cause.code}). Name another file with --mcp-config.`;
      throw new RawcallError('bad_mcp_config', message, { file }, cause);
    });
    text = changed;
  }

  return {
    file,
    entries,
    async put(name, entry) {
      const changed = withValue(text, ['mcpServers', name], entry);
      checkEntry(changed, file, name);
      await save(changed);
      entries.set(name, entry);
    },
    async remove(name) {
      entries.delete(name);
      // Without servers the file says nothing of them, and not that there are to be some.
      await save(withoutValue(text, entries.size > 0 ? ['mcpServers', name] : ['mcpServers']));
    },
  };
}

/** @throws RawcallError `bad_mcp_config` where the file is not one that can be added to */
function readEntries(text: string, file: string): Map<string, Entry> {
  if (text.trim() === '') return new Map();
  const { root, fail, properties } = openDocument(text, file);
  if (root?.type !== 'object') return fail(root, 'the file is no JSON object. Write {"mcpServers": {…}}.');
  const servers = properties(root).get('mcpServers');
  if (servers === undefined) {
    const theirs = anyPlaces.find(place => findNodeAtLocation(root, [...place])?.type === 'object');
    if (theirs === undefined) return new Map();
    fail(
      root,
      `it has its servers in "${theirs.join('.')}", as another program does. Name a file of rawcall's own.`,
    );
  }
  if (servers?.type !== 'object')
    return fail(servers, '"mcpServers" must be an object of servers by their names.');
  // jsonc-parser's objects have no prototype, and would equal no others.
  const entry = (node: Node) => structuredClone(getNodeValue(node)) as Entry;
  return new Map([...properties(servers)].map(([name, node]) => [name, entry(node)]));
}
