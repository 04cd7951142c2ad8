/**
 * Reads an `mcpServers` file, the shape that editors and other clients use, so that the file people have is taken as it is. A file
 * that is not JSON, or names no servers, is an error. A mistake in one entry, or a variable that is not set, is told as that
 * server's failure, with its place, and the others run.
 */
import { readFile } from 'node:fs/promises';
import type { Node } from 'jsonc-parser';
import { RawcallError } from '../../parsers/error.ts';
import { type ConfigDocument, openDocument } from './config-document.ts';
import { readEntry } from './config-entry.ts';
import type { Environment } from './expand.ts';
import type { McpServer } from './servers.ts';

/** @throws RawcallError `bad_mcp_config` */
export async function readMcpConfig(
  file: string,
  environment: Environment = process.env,
): Promise<McpServer[]> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${cause.code})`;
    const message = `${file}: ${why}. Give the path of a JSON file with "mcpServers".`;
    throw new RawcallError('bad_mcp_config', message, { file }, cause);
  });
  return parseMcpConfig(text, file, environment);
}

/** @throws RawcallError `bad_mcp_config` */
export function parseMcpConfig(
  text: string,
  file: string,
  environment: Environment = process.env,
): McpServer[] {
  const document = openDocument(text, file);
  const servers = findServers(document);
  const entries = [...document.properties(servers)];
  if (entries.length === 0)
    document.fail(servers, 'there are no servers here. Add one: "name": {"command": "…"}.');
  return entries.map(([name, node]) => {
    try {
      return readEntry(name, node, document, environment);
    } catch (error) {
      if (!RawcallError.isInstance(error)) throw error;
      return { name, unusable: 'failed', reason: error.message };
    }
  });
}

/**
 * One entry as it would be read from a file, for those who write it there.
 *
 * @throws RawcallError `bad_mcp_config` for a mistake; variables that are not set are none
 */
export function checkEntry(text: string, file: string, name: string): void {
  const document = openDocument(text, file);
  const node = document.properties(findServers(document)).get(name);
  if (node) readEntry(name, node, document, {});
}

/** Where other programs keep the same object: VS Code in a file of its own and in its settings, Zed in its settings. */
const otherPlaces = [['servers'], ['context_servers'], ['mcp', 'servers']] as const;

function findServers(document: ConfigDocument): Node {
  const { root, fail, properties } = document;
  if (root?.type !== 'object') return fail(root, 'the file is no JSON object. Write {"mcpServers": {…}}.');
  const at = (path: readonly string[]) =>
    path.reduce<Node | undefined>(
      (node, key) => (node?.type === 'object' ? properties(node).get(key) : undefined),
      root,
    );
  const own = at(['mcpServers']);
  const found = own ?? otherPlaces.map(at).find(node => node?.type === 'object');
  if (found === undefined)
    return fail(root, 'there is no "mcpServers". Write {"mcpServers": {"name": {"command": "…"}}}.');
  if (found.type !== 'object') fail(found, '"mcpServers" must be an object of servers by their names.');
  return found;
}
