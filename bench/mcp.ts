/**
 * What the MCP host costs: calls side by side, servers that start behind the model's load, our part of a call over the bare SDK,
 * and what is left after a thousand crashes.
 *
 *   npx tsx bench/mcp.ts [CRASHES]
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { buildIfNeeded, builtCli } from '../scripts/build-if-needed.mjs';
import { createAgent } from '../src/agent/agent.ts';
import { approval } from '../src/agent/approval.ts';
import { recordedEngine } from '../src/engine/recorded.ts';
import { formatNamed } from '../src/format.ts';
import { type Host, openHost } from '../src/mcp/host.ts';
import { rawModel } from '../src/model/raw.ts';
import { isAlive } from '../test/mcp/helpers.ts';
import { misbehaving, newLog, readLog, tool } from '../test/mcp/misbehaving.ts';
import { heldMemory } from './memory.ts';
import type { Row } from './row.ts';

export async function mcpRows({ crashes = 1000 }: { crashes?: number } = {}): Promise<Row[]> {
  return [
    ...(await sideBySideRows()),
    ...(await serverStartRows()),
    ...(await callRows()),
    ...(await crashRows(crashes)),
  ];
}

/** From the first call's start to the last one's end, as the agent runs them; the median of so many turns. */
async function sideBySideRows(turns = 5): Promise<Row[]> {
  const names = Array.from({ length: 5 }, (_, at) => `wait_${at}`);
  const calls = Object.fromEntries(names.map(name => [name, { ms: 1000 }]));
  const host = openHost([misbehaving({ pages: [names.map(name => tool(name))], calls })]);
  await host.ready;
  const took: number[] = [];
  for (let turn = 0; turn < turns; turn++) took.push(await fiveCalls(host, names));
  await host.close();
  const note = `the median of ${turns} turns, one server; target ≤ 1.05`;
  return [{ name: 'five calls of one second in one turn', value: median(took) / 1000, unit: 's', note }];
}

async function fiveCalls(host: Host, names: readonly string[]): Promise<number> {
  const turn = names
    .map(name => `<tool_call>\n{"name": "${name}", "arguments": {}}\n</tool_call>`)
    .join('\n');
  const agent = createAgent({
    model: rawModel(recordedEngine([turn, 'Done.']), formatNamed('hermes')),
    tools: host,
    approve: approval({ mode: 'auto' }),
  });
  let start = 0;
  let end = 0;
  let ran = 0;
  for await (const event of agent.run('Wait!')) {
    if (event.type === 'tool-start') start ||= performance.now();
    if (event.type !== 'tool-end') continue;
    end = performance.now();
    if (!event.result.isError) ran++;
  }
  if (ran !== names.length) throw new Error(`${ran} of ${names.length} calls ran.`);
  return end - start;
}

interface StartOptions {
  /** Default: the practice model, which loads so fast that little hides behind it. */
  readonly model?: string;
  readonly times?: number;
}

/**
 * From the program's start to its first prompt, with five servers and with none, the best of so many: where the servers' tools
 * are known from an earlier start, and where each of them has to be asked.
 */
export async function serverStartRows({ model, times = 5 }: StartOptions = {}): Promise<Row[]> {
  buildIfNeeded();
  const config = path.join(path.dirname(newLog()), 'mcp.json');
  const built = (...args: string[]) => ({ command: 'rawcall', args: ['mcp-server', ...args] });
  const mcpServers = {
    calc: built('calc'),
    materials: built('materials'),
    vault: built('vault', path.dirname(config)),
    files: npmServer('filesystem', tmpdir()),
    memory: npmServer('memory'),
  };
  writeFileSync(config, JSON.stringify({ mcpServers }));
  const flags = model === undefined ? [] : ['--model', path.resolve(model)];
  const withServers = [...flags, '--mcp-config', config];
  const took: { none: number[]; known: number[]; asked: number[] } = { none: [], known: [], asked: [] };
  await firstTurn(withServers);
  for (let round = 0; round < times; round++) {
    took.none.push(await firstTurn(flags));
    took.known.push(await firstTurn(withServers));
    took.asked.push(await firstTurn([...withServers, '--no-cache']));
  }
  const none = Math.min(...took.none);
  const name = path.basename(model ?? 'practice', '.gguf');
  return (['known', 'asked'] as const).map(how => {
    const five = Math.min(...took[how]);
    const note = `best of ${times}: ${Math.round(five)} ms against ${Math.round(none)} ms with none; ${how === 'known' ? 'target ≤ 200' : '--no-cache; bound by what five programs take to start on these cores'}`;
    const servers = how === 'known' ? 'five servers whose tools are known' : 'five servers';
    return { name: `first turn's wait for ${servers}, ${name}`, value: five - none, unit: 'ms', note };
  });
}

/** Of the programs of this benchmark alone. */
const cache = path.dirname(newLog());

async function firstTurn(flags: readonly string[]): Promise<number> {
  const start = performance.now();
  const args = [builtCli, 'run', 'Hello!', '--json', ...flags];
  const env = { ...process.env, RAWCALL_CACHE: cache };
  const child = spawn(process.execPath, args, { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] });
  const told = text(child.stderr);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{"type":"turn-start"')) continue;
    const took = performance.now() - start;
    child.kill();
    return took;
  }
  throw new Error(`rawcall ${args.slice(1).join(' ')} took no turn: ${await told}`);
}

function npmServer(name: string, ...args: string[]): { command: string; args: string[] } {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  const [script = ''] = Object.values<string>(require(manifest).bin);
  return { command: process.execPath, args: [path.join(path.dirname(manifest), script), ...args] };
}

/** The same server, one process for each, asked in turns. */
async function callRows(calls = 500): Promise<Row[]> {
  const { command, args } = misbehaving({ pages: [[tool('work')]] });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command, args: [...args] }));
  const host = openHost([misbehaving({ pages: [[tool('work')]] })]);
  await host.ready;
  const bare = () => client.callTool({ name: 'work', arguments: {} });
  const ours = () => host.call('work', {});
  const took: { bare: number[]; ours: number[] } = { bare: [], ours: [] };
  for (let call = 0; call < calls; call++) {
    took.bare.push(await milliseconds(bare));
    took.ours.push(await milliseconds(ours));
  }
  await client.close();
  await host.close();
  const [plain, hosted] = [median(took.bare), median(took.ours)];
  const note = `median of ${calls} calls each: ${hosted.toFixed(2)} ms against ${plain.toFixed(2)} ms; target ≤ 1`;
  return [{ name: 'a call over the bare SDK', value: hosted - plain, unit: 'ms', note }];
}

/** A server that dies in each call and is started again by the next one. */
async function crashRows(crashes: number): Promise<Row[]> {
  const log = newLog();
  const host = openHost([misbehaving({ log, pages: [[tool('crash')]], calls: { crash: { exit: 9 } } })]);
  await host.ready;
  // What is loaded and compiled once is no growth.
  const warm = Math.min(100, Math.floor(crashes / 2));
  for (let crash = 0; crash < warm; crash++) await host.call('crash', {});
  const before = memory();
  for (let crash = warm; crash < crashes; crash++) await host.call('crash', {});
  const after = memory();
  await host.close();
  const pids = readLog(log).flatMap(({ start }) => (start === undefined ? [] : [start]));
  const left = pids.filter(isAlive).length;
  const counted = `${pids.length} starts`;
  const grown = (kind: keyof typeof after) => (after[kind] - before[kind]) / 2 ** 20;
  return [
    {
      name: `processes left after ${crashes} crashes`,
      value: left,
      unit: 'processes',
      note: `${counted}; target 0`,
    },
    {
      name: `memory after ${crashes} crashes, against ${warm}`,
      value: grown('rss'),
      unit: 'MiB',
      note: `resident; of it ${grown('heapUsed').toFixed(2)} MiB heap, and ${after.handles - before.handles} more open handles; steady is about 0`,
    },
  ];
}

function memory() {
  return { ...heldMemory(), handles: process.getActiveResourcesInfo().length };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)]!;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , crashes] = process.argv;
  console.table(await mcpRows(crashes === undefined ? {} : { crashes: Number(crashes) }));
}
