import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Host, type HostOptions, openHost } from '../../src/mcp/host.ts';
import type { McpServer, StdioServer } from '../../src/mcp/servers.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

export function fixture(name: string, ...args: string[]): StdioServer {
  return { name, command: process.execPath, args: [join(fixtures, `${name}.mjs`), ...args], env: {} };
}

const require = createRequire(import.meta.url);

/** One of the reference servers from npm. */
export function npmServer(name: string, ...args: string[]): StdioServer {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  const [script] = Object.values<string>(JSON.parse(readFileSync(manifest, 'utf8')).bin);
  return { name, command: process.execPath, args: [join(dirname(manifest), script!), ...args], env: {} };
}

/** What `rawcall` stands for until the command line has it. */
export const self = [
  process.execPath,
  '--import',
  fileURLToPath(import.meta.resolve('tsx')),
  join(fixtures, 'built-in.mjs'),
];

export async function readySet(
  servers: readonly McpServer[],
  options: HostOptions = {},
): Promise<Host & AsyncDisposable> {
  const set = openHost(servers, { self, ...options });
  await set.ready;
  return disposable(set);
}

export function disposable(set: Host): Host & AsyncDisposable {
  // Not a copy: `tools` and `servers` change.
  return Object.assign(set, { [Symbol.asyncDispose]: () => set.close() });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie is dead; nobody has asked for its exit code yet.
  const status = `/proc/${pid}/stat`;
  return !(existsSync(status) && /^\d+ \(.*\) Z/s.test(readFileSync(status, 'utf8')));
}
