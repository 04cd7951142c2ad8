/** The servers that the tests of `rawcall mcp` and of chats speak to, as flags. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

export function everythingScript(): string {
  const manifest = require.resolve('@modelcontextprotocol/server-everything/package.json');
  const [script] = Object.values<string>(JSON.parse(readFileSync(manifest, 'utf8')).bin);
  return path.join(path.dirname(manifest), script!);
}

export function asConfig(
  servers: Readonly<Record<string, readonly [command: string, ...args: string[]]>>,
): string {
  const entries = Object.entries(servers).map(([name, [command, ...args]]) => [name, { command, args }]);
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) });
}
