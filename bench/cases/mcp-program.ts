/** Reports about the program and not the library: what stands on the screen, and what is left when it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { isAlive } from '../../test/mcp/helpers.ts';
import { misbehaving, newLog, readLog, type Script } from '../../test/mcp/misbehaving.ts';
import { type McpCase, until } from './mcp.ts';
import { scriptOf } from './mcp-server.ts';

const tsx = fileURLToPath(import.meta.resolve('tsx'));
const main = path.join(import.meta.dirname, '../../src/cli/main.ts');

function program(command: readonly string[], script: Script) {
  const { args } = misbehaving(script);
  const config = path.join(path.dirname(script.log ?? ''), 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { bad: { command: process.execPath, args } } }));
  const flags = ['--import', tsx, main, ...command, '--mcp-config', config];
  return spawn(process.execPath, flags, { cwd: path.dirname(config), stdio: 'pipe' });
}

/** A flood on a server's stderr is not on ours; where the server then fails, its end is told. */
export async function screenWrongs({ input, expected }: McpCase): Promise<string[]> {
  const script = scriptOf(input.server ?? {}, newLog());
  const listed = await outcome(program(['tools', '--json'], script));
  const failed = await outcome(program(['tools'], { ...script, start: { ...script.start, exit: 3 } }));
  const names = listed.stdout.trim() === '' ? [] : listed.stdout.trim().split('\n');
  const wrongs: string[] = [];
  if (names.length !== expected.tools?.length) wrongs.push(`tools: ${names}`);
  if (listed.stderr !== '') wrongs.push(`on the screen: ${listed.stderr.slice(0, 300)}`);
  if (failed.stderr.length > 3000) wrongs.push(`on the screen: ${failed.stderr.length} characters`);
  if (!failed.stderr.includes('the end')) wrongs.push(`the end of the log is not told: ${failed.stderr}`);
  return wrongs;
}

async function outcome(child: ReturnType<typeof program>): Promise<{ stdout: string; stderr: string }> {
  child.stdin.end();
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr };
}

/** A chat is interrupted, and another one killed; neither leaves a server, though the first one's does not want to end. */
export async function cleanupWrongs({ input, expected }: McpCase): Promise<string[]> {
  const wrongs: string[] = [];
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const log = newLog();
    const script = scriptOf(input.server ?? {}, log);
    const polite = signal === 'SIGKILL';
    const child = program(['chat'], polite ? script : { ...script, start: { stubborn: true } });
    child.stderr.resume();
    await until(() => readLog(log).some(({ method }) => method === 'tools/list'));
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const pids = readLog(log).flatMap(({ start }) => (start === undefined ? [] : [start]));
    await until(() => !pids.some(isAlive));
    const left = pids.filter(isAlive);
    if (pids.length === 0 || left.length !== expected.processesLeft)
      wrongs.push(`left after ${signal}: ${left}`);
    const told = readLog(log).flatMap(one => one.told ?? []);
    if (!polite && told.join() !== 'end of input,SIGTERM') wrongs.push(`the server was told: ${told}`);
  }
  return wrongs;
}
