/** A server given on the command line, `--mcp-command CMD --mcp-args "…"`, instead of in a file. */
import { parse } from 'node:path';
import type { StdioServer } from './servers.ts';
import { splitWords } from './words.ts';

/** @throws RawcallError `bad_mcp_arguments` */
export function directServer(command: string, args = ''): StdioServer {
  const words = splitWords(args);
  return { name: nameOf(command, words), command, args: words, env: {} };
}

/** Programs that run another one, which is the one to name the server after. */
const launchers = new Set(['node', 'npx', 'bunx', 'bun', 'deno', 'tsx', 'uv', 'uvx', 'python', 'python3']);

/** `rawcall mcp-server calc` is called calc; any other server is called as its program is. */
function nameOf(command: string, words: readonly string[]): string {
  const program = parse(command).name;
  if (program === 'rawcall' && words[0] === 'mcp-server' && words[1] !== undefined) return words[1];
  const launched = launchers.has(program) ? words.find(word => !word.startsWith('-')) : undefined;
  return launched === undefined ? program : parse(launched).name;
}
