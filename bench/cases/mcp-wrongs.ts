/** What is wrong with what a host made of its servers, by what a case expects of it. */
import path from 'node:path';
import { openLlamaVocabulary } from '../../src/engine/llama.ts';
import { openHost } from '../../src/mcp/host.ts';
import { misbehaving, newLog } from '../../test/mcp/misbehaving.ts';
import { type Observed, until } from './mcp.ts';
import { scriptOf } from './mcp-server.ts';

export interface McpExpected {
  readonly tools?: readonly string[];
  readonly toolsFirst?: readonly string[];
  readonly toolsLater?: readonly string[];
  readonly count?: number;
  /** Of the only server, or by server. */
  readonly status?: string | Readonly<Record<string, string>>;
  readonly statusHasReason?: true;
  readonly readyWithinMs?: number;
  readonly warnings?: readonly string[];
  readonly warningShows?: string;
  readonly listRequestsMax?: number;
  readonly initializeCount?: number;
  readonly modelNamesMatch?: string;
  readonly modelNamesUnique?: true;
  readonly callUsesOriginalName?: true;
  readonly namesStableWhenServerAdded?: string;
  readonly noSilentOverwrite?: true;
  readonly modelText?: {
    readonly includes?: readonly string[];
    readonly excludes?: readonly string[];
    readonly tokensMax?: number;
    readonly countOf?: Readonly<Record<string, number>>;
    readonly nonEmpty?: true;
  };
  readonly artifact?: { readonly mimeType: string };
  readonly markedAsError?: true;
  readonly result?: { readonly text: string };
  readonly secondResult?: string;
  readonly progressTokenSent?: true;
  readonly restarts?: number;
  readonly errorNames?: readonly string[];
  readonly processesLeft?: number;
  readonly orderOnInterrupt?: readonly string[];
}

export async function observedWrongs(expected: McpExpected, seen: Observed): Promise<string[]> {
  const wrongs: string[] = [];
  const same = (what: string, wanted: unknown, got: unknown) => {
    if (wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(got))
      wrongs.push(`${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
  };
  const holds = (what: string, wanted: unknown, right: boolean, got: unknown) => {
    if (wanted !== undefined && !right) wrongs.push(`${what}: ${JSON.stringify(got)}`);
  };
  const { host, log, results } = seen;
  const names = host.tools.map(({ name }) => name);
  const requests = (method: string) => log.filter(one => one.method === method);

  same('tools', expected.tools, names);
  same('tools at first', expected.toolsFirst, seen.toolsFirst);
  same('tools later', expected.toolsLater, names);
  same('count of tools', expected.count, names.length);
  const statuses = host.servers.map((_, at) => [host.servers[at]!.name, statusOf(seen, at)] as const);
  const wanted =
    typeof expected.status === 'string' ? { [statuses[0]![0]]: expected.status } : expected.status;
  for (const [name, status] of Object.entries(wanted ?? {})) {
    const got = Object.fromEntries(statuses)[name];
    holds(`status of ${name}, expected ${status}`, status, got !== undefined && matches(status, got), got);
  }
  const troubled = host.servers.filter(({ state }) => state !== 'ready');
  holds(
    'reasons',
    expected.statusHasReason,
    troubled.every(({ reason }) => reason),
    troubled,
  );
  holds('milliseconds', expected.readyWithinMs, seen.readyMs <= (expected.readyWithinMs ?? 0), seen.readyMs);
  const warnings = host.servers.flatMap(server => server.warnings);
  same(
    'warnings',
    expected.warnings,
    warnings.map(({ warning }) => warning),
  );
  const shown = warnings.map(({ message }) => message).join('\n');
  holds('warning', expected.warningShows, shown.includes(expected.warningShows ?? ''), shown);

  const lists = requests('tools/list').length;
  holds('lists', expected.listRequestsMax, lists <= (expected.listRequestsMax ?? 0), lists);
  same('handshakes', expected.initializeCount, requests('initialize').length);
  const pattern = new RegExp(expected.modelNamesMatch ?? '');
  holds(
    'names',
    expected.modelNamesMatch,
    names.every(name => pattern.test(name)),
    names,
  );
  holds('unique names', expected.modelNamesUnique, new Set(names).size === names.length, names);
  if (expected.callUsesOriginalName) for (const name of names) await host.call(name, {});
  if (expected.callUsesOriginalName || expected.noSilentOverwrite) wrongs.push(...(await misled(host)));
  if (expected.namesStableWhenServerAdded)
    wrongs.push(...(await renamed(expected.namesStableWhenServerAdded, seen)));

  const last = results.at(-1);
  const { modelText } = expected;
  if (modelText) wrongs.push(...(await textWrongs(modelText, last?.content ?? '')));
  const types = last?.attachments?.map(({ mimeType }) => mimeType) ?? [];
  holds('attachments', expected.artifact, types.includes(expected.artifact?.mimeType ?? ''), types);
  same('error', expected.markedAsError, last?.isError);
  same('result', expected.result?.text, last?.content);
  same('second result', expected.secondResult, results[1]?.content);
  const tokens = requests('tools/call').map(({ meta }) => meta?.progressToken);
  holds(
    'progress tokens',
    expected.progressTokenSent,
    tokens.every(token => token !== undefined),
    tokens,
  );
  const starts = log.filter(({ start }) => start !== undefined).length;
  same('restarts', expected.restarts, starts - 1);
  const reasons = troubled.map(({ name, reason = '' }) => `${name}: ${reason}`).join('\n');
  for (const name of expected.errorNames ?? [])
    holds(`"${name}" is named`, name, reasons.includes(name), reasons);
  return wrongs;
}

/** In the words of the cases. */
function statusOf({ host, servers }: Observed, at: number): string {
  const given = servers[at];
  const { state, warnings } = host.servers[at]!;
  if (given && 'unusable' in given) return given.unusable === 'disabled' ? 'disabled' : 'config_error';
  if (state === 'starting') return 'timeout';
  return state === 'ready' && warnings.some(({ warning }) => warning === 'list_incomplete')
    ? 'partial'
    : state;
}

function matches(wanted: string, got: string): boolean {
  const supported = ['ready', 'failed', 'timeout'].includes(got);
  return wanted.split(' or ').some(word => word === got || (word === 'supported' && supported));
}

/** Each tool is called once, and must be answered by its own server under its own name. */
async function misled({ tools, call, origin }: Observed['host']): Promise<string[]> {
  const wrongs: string[] = [];
  for (const { name } of tools) {
    const { content } = await call(name, {});
    const owner = origin(name);
    if (content !== `${owner?.server}:${owner?.tool}`) wrongs.push(`${name} was answered by ${content}`);
  }
  return wrongs;
}

/** A server that joins late: what was on offer before keeps its names. */
async function renamed(added: string, { servers }: Observed): Promise<string[]> {
  const [name = '', tool = ''] = added.split(' with ');
  const late = misbehaving(scriptOf({ name, tools: [tool], startMs: 2000 }, newLog()), name);
  const host = openHost([late, ...servers], { startTimeout: 1500 });
  try {
    await host.ready;
    const owners = () => host.tools.map(one => [one.name, host.origin(one.name)?.server] as const);
    const before = owners();
    await until(() => host.tools.length > before.length);
    const after = new Map(owners());
    const kept = before.every(([one, server]) => after.get(one) === server);
    const wrongs = kept && after.size === before.length + 1 ? [] : [`${before} became ${[...after]}`];
    return [...wrongs, ...(await misled(host))];
  } finally {
    await host.close();
  }
}

async function textWrongs(wanted: NonNullable<McpExpected['modelText']>, text: string): Promise<string[]> {
  const { includes = [], excludes = [], countOf = {}, tokensMax, nonEmpty } = wanted;
  const times = (part: string) => text.split(part).length - 1;
  const wrongs = [
    ...includes.filter(part => !text.includes(part)).map(part => `"${part}" is missing`),
    ...excludes.filter(part => text.includes(part)).map(part => `"${part}" is there`),
    ...Object.entries(countOf)
      .filter(([part, count]) => times(part) !== count)
      .map(([part]) => `"${part}" is there ${times(part)} times`),
    ...(nonEmpty && text.trim() === '' ? ['it is empty'] : []),
  ];
  if (tokensMax !== undefined) {
    const model = path.join(import.meta.dirname, '../../models/practice/practice.gguf');
    const vocabulary = await openLlamaVocabulary({ model });
    const { length } = vocabulary.tokenize([{ text, origin: 'tool' }]);
    await vocabulary.close();
    if (length > tokensMax) wrongs.push(`it has ${length} tokens`);
  }
  return wrongs.map(wrong => `the model's text: ${wrong} in ${JSON.stringify(text.slice(0, 200))}`);
}
