/** A server given on the command line, `--mcp-command CMD --mcp-args "…"`, instead of in a file. */
import { parse } from 'node:path';
import type { StdioServer } from './servers.ts';
import { splitWords } from './words.ts';

/** @throws RawcallError `bad_mcp_arguments` */
export function directServer(command: string, args = ''): StdioServer {
  const words = splitWords(args);
  return { name: nameOf(command, words), command, args: words, env: {} };
}

/** `rawcall mcp-server calc` is called calc; any other server is called as its program is. */
function nameOf(command: string, words: readonly string[]): string {
  const program = parse(command).name;
  return program === 'rawcall' && words[0] === 'mcp-server' && words[1] !== undefined ? words[1] : program;
}
