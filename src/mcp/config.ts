/**
 * Reads an `mcpServers` file, the shape that editors and other clients use, so that the file people have is taken as it is.
 * A mistake in it is an error with its place; a server that only this machine cannot run (a variable is not set) is reported
 * with the servers, and the others run.
 */
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { getNodeValue, type Node } from 'jsonc-parser';
import { RawcallError } from '../../parsers/error.ts';
import { type ConfigDocument, openDocument } from './config-document.ts';
import { type Environment, expand } from './expand.ts';
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
  const { root, fail } = document;
  if (root?.type !== 'object') fail(root, 'the file is no JSON object. Write {"mcpServers": {…}}.');
  const servers = document.properties(root!).get('mcpServers');
  if (servers === undefined)
    fail(root, 'there is no "mcpServers". Write {"mcpServers": {"name": {"command": "…"}}}.');
  if (servers!.type !== 'object') fail(servers, '"mcpServers" must be an object of servers by their names.');
  const entries = [...document.properties(servers!)];
  if (entries.length === 0) fail(servers, '"mcpServers" is empty. Add a server: "name": {"command": "…"}.');
  return entries.map(([name, node]) => readServer(name, node, document, environment));
}

const kinds = {
  type: 'a text',
  command: 'a text',
  args: 'a list of texts',
  env: 'an object of texts',
  cwd: 'a text',
  disabled: 'true or false',
  url: 'a text',
  headers: 'an object of texts',
} as const;

interface Entry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly disabled?: boolean;
  readonly url?: string;
}

function readServer(
  name: string,
  node: Node,
  { properties, fail, file }: ConfigDocument,
  environment: Environment,
): McpServer {
  if (node.type !== 'object') fail(node, `the server "${name}" must be an object: {"command": "…"}.`);
  for (const [key, value] of properties(node)) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key as keyof typeof kinds] : undefined;
    const known = Object.keys(kinds).join(', ');
    if (kind === undefined)
      fail(value, `the server "${name}" has an unknown key "${key}". Known are: ${known}.`);
    else if (!isOfKind(getNodeValue(value), kind))
      fail(value, `"${key}" of the server "${name}" must be ${kind}.`);
  }
  const entry = getNodeValue(node) as Entry;
  if (entry.disabled === true) return { name, unusable: 'disabled', reason: `disabled in ${file}` };
  if (entry.url !== undefined) {
    const reason = 'it is reached over HTTP ("url"), and only servers with a "command" are supported so far';
    return { name, unusable: 'failed', reason };
  }
  if (entry.command === undefined || entry.command === '')
    fail(node, `the server "${name}" has no "command". Name the program that starts it.`);

  const missing = new Set<string>();
  const expanded = (text: string) => {
    const result = expand(text, environment);
    for (const variable of result.missing) missing.add(variable);
    return result.text;
  };
  const server = {
    name,
    command: expanded(entry.command!),
    args: (entry.args ?? []).map(expanded),
    env: Object.fromEntries(Object.entries(entry.env ?? {}).map(([key, value]) => [key, expanded(value)])),
    cwd: entry.cwd === undefined ? undefined : expanded(entry.cwd),
  };
  if (missing.size > 0) {
    const names = [...missing].join(', ');
    const reason = `the environment has no ${names}. Set it, or give a default: \${${[...missing][0]}:-…}`;
    return { name, unusable: 'failed', reason };
  }
  const { cwd, ...rest } = server;
  if (cwd === undefined) return rest;
  return { ...rest, cwd: isAbsolute(cwd) ? cwd : resolve(dirname(file), cwd) };
}

function isOfKind(value: unknown, kind: (typeof kinds)[keyof typeof kinds]): boolean {
  const isText = (one: unknown) => typeof one === 'string' && !one.includes('\0');
  switch (kind) {
    case 'a text':
      return isText(value);
    case 'true or false':
      return typeof value === 'boolean';
    case 'a list of texts':
      return Array.isArray(value) && value.every(isText);
    case 'an object of texts':
      return (
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.values(value).every(isText)
      );
    default:
      return kind satisfies never;
  }
}
