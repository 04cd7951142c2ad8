/**
 * JSON-RPC over the stdin and stdout of a child process. The SDK's own transport leaves grandchildren alive, takes a line that is no
 * JSON for an error, and copies its buffer for each chunk of a long message.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { isFields } from '../../templates/check.ts';
import { lineReader } from './lines.ts';
import { endOrphans, endTree, ownGroup, watch } from './process-tree.ts';
import type { StdioServer } from './servers.ts';
import { plainLine, tail } from './tail.ts';
import { settledWithin } from './waiting.ts';

const maxMessageBytes = 64 * 1024 * 1024;

export interface StdioTransport extends Transport {
  readonly pid: number | undefined;
  /** The last lines on stderr, and those on stdout that were no messages. */
  lastWords(): string[];
  /** What was on stdout before any message, or between them; the first line of it. */
  onnoise?: (line: string) => void;
  /** How the process ended, where it has: `exit code 1`, `signal SIGKILL`, `a message of more than 64 MB`. */
  readonly ending: string | undefined;
  /** Resolves when the process has ended and all that it wrote was read; or soon, where it goes on. */
  ended(): Promise<void>;
}

/** Milliseconds in which a process that no longer reads has ended, as a rule. */
const dying = 300;

export function stdioTransport(
  server: Pick<StdioServer, 'command' | 'args' | 'env' | 'cwd'>,
): StdioTransport {
  const stderr = tail();
  const noise = tail();
  let child: ChildProcess | undefined;
  let ending: string | undefined;
  let closed = false;
  let over: Promise<void> = Promise.resolve();

  function start(): Promise<void> {
    const started = spawn(server.command, [...server.args], {
      ...ownGroup,
      env: { ...getDefaultEnvironment(), ...server.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
    });
    child = started;
    watch(started);
    started.stdout.on('data', reader(started));
    started.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
    // A server that died leaves a broken pipe; its end is told by `exit`.
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream.on('error', () => {});
    started.on('exit', (code, signal) => {
      ending ??= signal ? `signal ${signal}` : `exit code ${code}`;
      // What it left behind would hold the pipes open, and `close` would not come.
      endOrphans(started);
    });
    started.on('close', finish);
    over = new Promise(resolve => {
      started.on('close', () => resolve());
    });
    return new Promise((resolve, reject) => {
      started.once('spawn', resolve);
      started.on('error', error => {
        reject(error);
        finish();
      });
    });
  }

  function reader(started: ChildProcess): (chunk: Buffer) => void {
    return lineReader({
      maxBytes: maxMessageBytes,
      onLine: line => {
        if (line.trim() === '') return;
        const message = parse(line);
        if (message) transport.onmessage?.(message);
        else heard(line.slice(0, 2000));
      },
      onTooLong: () => {
        ending = `a message of more than ${maxMessageBytes / 1024 / 1024} MB`;
        void endTree(started);
      },
    });
  }

  function heard(line: string): void {
    noise.push(`${line}\n`);
    transport.onnoise?.(plainLine(line));
    delete transport.onnoise;
  }

  function finish(): void {
    if (closed) return;
    closed = true;
    transport.onclose?.();
  }

  const transport: StdioTransport = {
    start,
    send: message =>
      new Promise((resolve, reject) => {
        const stdin = child?.stdin;
        if (!stdin?.writable) return reject(new Error('The server has ended.'));
        stdin.write(`${JSON.stringify(message)}\n`, error => (error ? reject(error) : resolve()));
      }),
    close: async () => {
      if (child) await endTree(child);
      finish();
    },
    get pid() {
      return child?.pid;
    },
    get ending() {
      return ending;
    },
    async ended() {
      await settledWithin(over, dying);
    },
    lastWords() {
      const words = stderr.lines();
      return words.length > 0 ? words : noise.lines();
    },
  };
  return transport;
}

/** Nothing for a line that is no message: many servers greet on stdout, or print what they do. */
function parse(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return JSONRPCMessageSchema.safeParse(value).data ?? malformedAnswer(value);
  } catch {
    return undefined;
  }
}

/** An answer that is none of the protocol's still ends its request; left alone, the caller would wait for the timeout. */
function malformedAnswer(value: unknown): JSONRPCMessage | undefined {
  if (!isFields(value) || typeof value.id !== 'number' || 'method' in value) return undefined;
  // A line of a log may have an id as well.
  if (!('jsonrpc' in value || 'result' in value || 'error' in value)) return undefined;
  const { id } = value;
  const message = 'The server sent an answer that is not in the form of the protocol.';
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } };
}
