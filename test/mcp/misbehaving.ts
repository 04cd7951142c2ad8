/** What the misbehaving server can be told to do, and how a host reaches it. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpServer, StdioServer } from '../../src/mcp/servers.ts';
import { fixture } from './helpers.ts';

export interface Script {
  /** A file that gets a line for each start and each request. */
  readonly log?: string;
  readonly info?: unknown;
  readonly protocolVersion?: string;
  readonly declaresListChanged?: false;
  /** Only over stdio. */
  readonly start?: {
    readonly ms?: number;
    readonly exit?: number;
    readonly never?: true;
    /** It logs that it was told to end, and does not. */
    readonly stubborn?: true;
    readonly stdout?: readonly unknown[];
    /** In one line that is never ended. */
    readonly stderrBytes?: number;
  };
  /** Of tools, as they are sent. */
  readonly pages?: readonly (readonly unknown[])[];
  /** The last page points to itself, or to another one for ever, or is an error. */
  readonly lastPage?: 'again' | 'endless' | 'fails';
  /** By tool; a tool that is not named answers `ran NAME`. */
  readonly calls?: Readonly<Record<string, Misdeed>>;
  /** Over HTTP: a call ends the session that it came in. */
  readonly sessionEndsAfterCall?: true;
}

export interface Misdeed {
  /** Lines before the answer that are no messages. */
  readonly stdout?: readonly unknown[];
  readonly stderrBytes?: number;
  readonly ms?: number;
  readonly progressEveryMs?: number;
  /** A storm of notices, after which these are the tools. */
  readonly change?: {
    readonly times: number;
    readonly everyMs?: number;
    readonly pages: readonly (readonly unknown[])[];
  };
  /** Ends the server with this code instead of an answer; over HTTP, the connection. */
  readonly exit?: number;
  readonly never?: true;
  readonly wrongId?: true;
  /** A line instead of an answer; `$id` in it is the request's. */
  readonly raw?: unknown;
  /** Structured content of so many objects, each in the other. */
  readonly nested?: number;
  readonly result?: unknown;
}

export const tool = (name: unknown, more: object = {}) => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});
export const text = (content: unknown) => ({ content: [{ type: 'text', text: content }] });
export const repeated = (unit: string, times: number) => ({ $repeat: unit, times });

export function misbehaving(script: Script, name = 'bad'): StdioServer {
  return { ...fixture('misbehaving', JSON.stringify(script)), name };
}

export async function misbehavingOverHttp(
  script: Script,
  name = 'bad',
): Promise<{ readonly server: HttpServer } & Disposable> {
  const { serveHttp } = (await import('./fixtures/misbehaving.mjs' as string)) as {
    serveHttp(script: Script): Promise<{ url: string; close(): void }>;
  };
  const { url, close } = await serveHttp(script);
  return { server: { name, url, headers: {} }, [Symbol.dispose]: close };
}

export interface Logged {
  /** The process's id. */
  readonly start?: number;
  readonly told?: string;
  readonly method?: string;
  readonly name?: string;
  readonly meta?: { readonly progressToken?: unknown };
}

export function newLog(): string {
  return join(mkdtempSync(join(tmpdir(), 'rawcall-')), 'log.jsonl');
}

/** A line that is still being written is none yet. */
export function readLog(file: string): readonly Logged[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));
}
