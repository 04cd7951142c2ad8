/**
 * JSON-RPC over the stdin and stdout of a process. The SDK's own transport leaves grandchildren alive, takes a line that is no
 * JSON for an error, and copies its buffer for each chunk of a long message.
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { isFields } from '../../templates/check.ts';
import { exactMessage } from './exact-arguments.ts';
import { lineReader } from './lines.ts';
import type { ServerProcess } from './server-process.ts';
import { plainLine, tail } from './tail.ts';

const maxMessageBytes = 64 * 1024 * 1024;

export interface StdioTransport extends Transport {
  /** The last lines on stderr, and where there are none those on stdout that were no messages. */
  lastWords(): string[];
  /** What was on stdout before any message, or between them; the first line of it. */
  onnoise?: (line: string) => void;
}

export function stdioTransport(server: ServerProcess): StdioTransport {
  const noise = tail();
  let closed = false;

  async function start(): Promise<void> {
    server.read(
      lineReader({
        maxBytes: maxMessageBytes,
        onLine: line => {
          if (line.trim() === '') return;
          const message = parse(line);
          if (message) transport.onmessage?.(message);
          else heard(line.slice(0, 2000));
        },
        onTooLong: () => void server.end(`a message of more than ${maxMessageBytes / 1024 / 1024} MB`),
      }),
    );
    void server.over.then(finish);
    await server.spawned;
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
    send: message => server.write(`${exactMessage(JSON.stringify(message))}\n`),
    async close() {
      await server.end();
      finish();
    },
    lastWords() {
      const words = server.lastWords();
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
