/**
 * A server's process. It is started at once and without the MCP SDK, which takes as long to load as a server takes to start; what
 * it writes meanwhile waits for its reader.
 */
import { spawn } from 'node:child_process';
import { inheritedEnvironment } from './inherited.ts';
import { endOrphans, endTree, ownGroup, watch } from './process-tree.ts';
import type { StdioServer } from './servers.ts';
import { tail } from './tail.ts';
import { settledWithin } from './waiting.ts';

export interface ServerProcess {
  readonly pid: number | undefined;
  /** Rejects where there is no such program, or it may not be run. */
  readonly spawned: Promise<void>;
  /** Resolves when it has ended, or was never there, and all that it wrote was read. */
  readonly over: Promise<void>;
  /** How it ended, where it has: `exit code 1`, `signal SIGKILL`, or what `end` was told. */
  readonly ending: string | undefined;
  /** Its stdout, from the beginning. */
  read(onData: (chunk: Buffer) => void): void;
  /** To its stdin. */
  write(text: string): Promise<void>;
  /** The last lines of its stderr. */
  lastWords(): string[];
  /** Resolves when it is over, or soon, where it goes on. */
  dying(): Promise<void>;
  /** Ends it and all that it started. */
  end(why?: string): Promise<void>;
}

/** Milliseconds in which a process that no longer reads has ended, as a rule. */
const patience = 300;

/** `self` stands for the command `rawcall`: this very program, as a command and its first arguments. */
export function startProcess(server: StdioServer, self?: readonly string[]): ServerProcess {
  const { env, cwd } = server;
  const [command, ...args] = [
    ...(self && server.command === 'rawcall' ? self : [server.command]),
    ...server.args,
  ];
  const child = spawn(command!, args, {
    ...ownGroup,
    env: { ...inheritedEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  watch(child);
  const stderr = tail();
  let ending: string | undefined;
  let early: Buffer[] = [];
  let reader = (chunk: Buffer): void => void early.push(chunk);

  child.stdout.on('data', (chunk: Buffer) => reader(chunk));
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
  // A server that died leaves a broken pipe; its end is told by `exit`.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
  child.on('exit', (code, signal) => {
    ending ??= signal ? `signal ${signal}` : `exit code ${code}`;
    // What it left behind would hold the pipes open, and `close` would not come.
    endOrphans(child);
  });
  const spawned = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.on('error', reject);
  });
  // Whoever waits for it is told; nobody may be, yet.
  spawned.catch(() => {});
  const over = new Promise<void>(resolve => {
    child.on('close', () => resolve());
    child.on('error', () => resolve());
  });

  return {
    pid: child.pid,
    spawned,
    over,
    get ending() {
      return ending;
    },
    read(onData) {
      reader = onData;
      for (const chunk of early) onData(chunk);
      early = [];
    },
    write: text =>
      new Promise((resolve, reject) => {
        if (!child.stdin.writable) return reject(new Error('The server has ended.'));
        child.stdin.write(text, error => (error ? reject(error) : resolve()));
      }),
    lastWords: () => stderr.lines(),
    async dying() {
      await settledWithin(over, patience);
    },
    async end(why) {
      ending ??= why;
      await endTree(child);
    },
  };
}
