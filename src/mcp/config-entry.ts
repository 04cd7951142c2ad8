/** One entry of an `mcpServers` object: from its keys, ours and other programs', to a server. */
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Node } from 'jsonc-parser';
import type { ApprovalMode } from '../agent/approval.ts';
import type { ConfigDocument } from './config-document.ts';
import { readAuth } from './entry-auth.ts';
import { type EntryFields, entryFields } from './entry-fields.ts';
import { type Environment, expand } from './expand.ts';
import { keysOf } from './foreign-keys.ts';
import { headerProblem, urlProblem } from './http-address.ts';
import { type McpServer, type ServerSettings, toolSchemas } from './servers.ts';

/** @throws RawcallError `bad_mcp_config` for a mistake in the entry */
export function readEntry(
  name: string,
  node: Node,
  document: ConfigDocument,
  environment: Environment,
): McpServer {
  const { fail, file } = document;
  const fields = entryFields(name, node, document);
  if (fields.disabled) return { name, unusable: 'disabled', reason: `disabled in ${file}` };
  const transport = transportOf(name, node, fields, document);
  const expanded = expander(environment, placesAround(file));
  const folder = (text: string) => resolve(dirname(file), asPath(text));

  const settings = readSettings(fields, document);
  const roots = fields.texts('roots')?.map(text => folder(expanded.text('roots', text)));
  const server =
    transport === 'stdio'
      ? {
          command: expanded.text('command', fields.text('command') ?? ''),
          args: (fields.texts('args') ?? []).map((text, at) => expanded.text(`args[${at}]`, text)),
          env: expanded.record('env', fields.record('env')),
          ...optional('cwd', fields.text('cwd'), text => folder(expanded.text('cwd', text))),
        }
      : {
          url: expanded.text('url', fields.text('url') ?? ''),
          headers: expanded.record('headers', fields.record('headers')),
          ...(transport === undefined ? {} : { transport }),
          ...optional('auth', fields.at('auth'), auth => readAuth(name, auth, document, expanded.text)),
        };
  const strangers = keysOf[transport === 'stdio' ? 'http' : 'stdio'].filter(key => fields.at(key));
  const warnings = [
    ...fields.warnings,
    ...strangers.map(
      key => `"${key}" is not used: it is for servers with a "${transport === 'stdio' ? 'url' : 'command'}"`,
    ),
  ];

  const problem = expanded.problem();
  if (problem) {
    const { line, column } = document.place(fields.at(problem.key) ?? node);
    return {
      name,
      unusable: 'failed',
      reason: `${file}:${line}:${column}: the server "${name}" ${problem.what}`,
    };
  }
  if ('url' in server) {
    const wrong = urlProblem(server.url);
    if (wrong) fail(fields.at('url'), `the "url" of the server "${name}" ${wrong}`);
    for (const [key, value] of Object.entries(server.headers)) {
      const unsent = headerProblem(key, value);
      if (unsent) fail(fields.at(`headers.${key}`), `"headers.${key}" of the server "${name}" ${unsent}`);
    }
  }
  const variables = Object.fromEntries(expanded.used);
  return {
    name,
    ...server,
    ...settings,
    ...(roots ? { roots } : {}),
    ...(expanded.used.size > 0 ? { variables } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

const transports: Readonly<Record<string, 'stdio' | 'http' | 'sse'>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  streamable_http: 'http',
  remote: 'http',
  sse: 'sse',
};

/** Nothing where only a `url` is given: Streamable HTTP is tried, and then what servers spoke before it. */
function transportOf(
  name: string,
  node: Node,
  fields: EntryFields,
  { fail }: ConfigDocument,
): 'stdio' | 'http' | 'sse' | undefined {
  const type = fields.text('type');
  const command = fields.text('command') ?? '';
  const url = fields.text('url') ?? '';
  if (command !== '' && url !== '')
    fail(node, `the server "${name}" has both a "command" and a "url". Keep the one that reaches it.`);
  if (command === '' && url === '')
    fail(
      node,
      `the server "${name}" has neither a "command" nor a "url". Name the program that starts it, or its address.`,
    );
  if (type === undefined) return command === '' ? undefined : 'stdio';
  const transport = Object.hasOwn(transports, type) ? transports[type] : undefined;
  if (transport === undefined)
    return fail(
      fields.at('type'),
      `"type" of the server "${name}" must be stdio, http (or streamable-http) or sse.`,
    );
  const needed = transport === 'stdio' ? 'command' : 'url';
  if (needed === (command === '' ? 'command' : 'url'))
    fail(fields.at('type'), `"type" of the server "${name}" is "${type}", which needs a "${needed}".`);
  return transport;
}

const approvals = ['ask', 'auto', 'never'] as const satisfies readonly ApprovalMode[];

function readSettings(fields: EntryFields, { fail }: ConfigDocument): Omit<ServerSettings, 'name' | 'roots'> {
  const { tools } = fields;
  const approvalText = fields.text('approval');
  const approval = approvals.find(one => one === approvalText);
  if (approvalText !== undefined && approval === undefined)
    fail(fields.at('approval'), fields.wrong('approval', approvals.join(', ')));
  const trust = fields.flag('trust');
  const schemasText = fields.text('toolSchemas');
  const schemas = toolSchemas.find(one => one === schemasText);
  if (schemasText !== undefined && schemas === undefined)
    fail(fields.at('toolSchemas'), fields.wrong('toolSchemas', toolSchemas.join(' or ')));
  const timeout = fields.milliseconds('timeout');
  return {
    ...(tools ? { tools } : {}),
    ...(approval === undefined ? {} : { approval }),
    ...(trust === undefined ? {} : { trust }),
    ...(schemas === undefined ? {} : { toolSchemas: schemas }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

/** Expands texts, and remembers what came in and what was not there. */
function expander(environment: Environment, places: Environment) {
  const used = new Map<string, string>();
  const missing: { readonly variable: string; readonly key: string }[] = [];
  const foreign: { readonly reference: string; readonly key: string }[] = [];

  function text(key: string, given: string): string {
    const result = expand(given, environment, places);
    for (const [variable, value] of result.used) used.set(variable, value);
    missing.push(...result.missing.map(variable => ({ variable, key })));
    foreign.push(...result.foreign.map(reference => ({ reference, key })));
    return result.text;
  }

  function problem(): { readonly key: string; readonly what: string } | undefined {
    if (foreign[0]) {
      const { reference, key } = foreign[0];
      const what = `has ${reference} in ${key}, which only the editor that wrote it can fill in. Put a variable there: \${NAME}.`;
      return { key, what };
    }
    if (!missing[0]) return undefined;
    const places = missing.map(({ variable, key }) => `${variable} (in ${key})`);
    const what =
      `needs ${[...new Set(places)].join(', ')}, which the environment does not have. ` +
      `Set it, or give a default: \${${missing[0].variable}:-…}`;
    return { key: missing[0].key, what };
  }

  return {
    used,
    text,
    record: (key: string, values: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, text(`${key}.${name}`, value)]),
      ),
    problem,
  };
}

/** The names that editors have for folders; theirs keep the file in a folder of their own, such as `.vscode`. */
function placesAround(file: string): Environment {
  const folder = dirname(resolve(file));
  const workspaceFolder = /^\.[a-z]+$/.test(basename(folder)) ? dirname(folder) : folder;
  return { workspaceFolder, workspaceFolderBasename: basename(workspaceFolder), userHome: homedir() };
}

function asPath(text: string): string {
  if (/^file:\/\//i.test(text)) return fileURLToPath(text);
  return text.replace(/^~(?=$|[/\\])/, () => homedir());
}

function optional<Key extends string, Given, Value>(
  key: Key,
  given: Given | undefined,
  read: (given: Given) => Value,
): { readonly [K in Key]?: Value } {
  return (given === undefined ? {} : { [key]: read(given) }) as { readonly [K in Key]?: Value };
}
