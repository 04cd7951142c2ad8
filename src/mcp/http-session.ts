/** A new session with a server that has forgotten the old one, opened behind the back of the client. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

export interface NewSession {
  readonly open: () => Promise<StreamableHTTPClientTransport>;
  /** The client's own first message. */
  readonly handshake: JSONRPCMessage;
  /** That the client speaks from its first session on. */
  readonly version: string | undefined;
  /** Milliseconds for the server's answer. */
  readonly startTimeout: number;
  /** Of all messages but the answer to the handshake, which the client has had. */
  readonly receive: (message: JSONRPCMessage) => void;
}

/** No request of the client has this id: its own are numbers. */
const id = 'rawcall-new-session';

export async function openAgain(options: NewSession): Promise<StreamableHTTPClientTransport> {
  const { open, handshake, version, startTimeout, receive } = options;
  const fresh = await open();
  const timeout = new AbortController();
  try {
    const answer = new Promise<void>((resolve, reject) => {
      fresh.onmessage = message => {
        if (!('id' in message) || message.id !== id) return receive(message);
        if ('error' in message) reject(new Error(`it opens no new session: ${message.error.message}`));
        else resolve();
      };
    });
    // Told by the sending, which is waited for first.
    answer.catch(() => {});
    await fresh.send({ ...handshake, id } as JSONRPCMessage);
    await Promise.race([
      answer,
      sleep(startTimeout, undefined, { signal: timeout.signal }).then(() => {
        throw new Error(`it opened no new session within ${startTimeout / 1000} s`);
      }),
    ]);
    if (version !== undefined) fresh.setProtocolVersion(version);
    await fresh.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return fresh;
  } catch (error) {
    await fresh.close();
    throw error;
  } finally {
    timeout.abort();
  }
}
