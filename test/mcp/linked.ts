/** A server of the SDK and a session of ours, without a process between them. */
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server, type ServerOptions } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { vi } from 'vitest';
import type { ConnectionEvents } from '../../src/mcp/connection.ts';
import { openSession } from '../../src/mcp/session.ts';

export const info = { name: 'one', version: '1' };

type Params = Record<string, unknown>;
/** What a server answers to a method; it may ask us in between. */
export type Answers = Readonly<Record<string, (params: Params, wire: Wire) => unknown>>;

export interface Wire {
  /** Sends a request of the server's to us and gives what we answer. */
  ask(method: string, params?: Params): Promise<JSONRPCMessage>;
  notify(method: string, params?: Params): void;
  /** All that we sent, requests and notices alike. */
  readonly got: readonly { readonly method?: string; readonly params?: Params }[];
}

export async function open(server: Server, events: Partial<ConnectionEvents> = {}) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  return { ...(await connect(near, events)), server };
}

export function serverOf(capabilities: ServerOptions['capabilities']): Server {
  return new Server(info, { capabilities: capabilities ?? {} });
}

/** A server that says what it likes, whatever the protocol asks for. */
export async function openRaw(
  answers: Answers,
  { capabilities = { tools: {} }, ...events }: Partial<ConnectionEvents> & { capabilities?: Params } = {},
) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const got: { method?: string; params?: Params }[] = [];
  const waiting = new Map<unknown, (message: JSONRPCMessage) => void>();
  let count = 0;
  const wire: Wire = {
    got,
    ask(method, params = {}) {
      const id = `asked-${++count}`;
      return new Promise(resolve => {
        // Before it is asked: a refusal comes at once.
        waiting.set(id, resolve);
        void far.send({ jsonrpc: '2.0', id, method, params });
      });
    },
    notify: (method, params = {}) => void far.send({ jsonrpc: '2.0', method, params }),
  };
  const all: Answers = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities, serverInfo: info }),
    ...answers,
  };
  far.onmessage = async message => {
    if (!('method' in message)) return waiting.get(message.id)?.(message);
    const { method, params = {} } = message as { method: string; params?: Params };
    got.push({ method, params });
    if (!('id' in message)) return;
    const { id } = message;
    try {
      const answer = all[method];
      if (!answer) throw Object.assign(new Error(`no ${method} here`), { code: -32601 });
      const result = (await answer(params, wire)) as Params | undefined;
      if (result !== undefined) await far.send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      const {
        code = -32603,
        message = '',
        data,
      } = error as { code?: number; message?: string; data?: unknown };
      await far.send({ jsonrpc: '2.0', id, error: { code, message, ...(data ? { data } : {}) } });
    }
  };
  await far.start();
  return { ...(await connect(near, events)), wire };
}

async function connect(transport: Transport, more: Partial<ConnectionEvents>) {
  const events = { onToolsChanged: vi.fn(), onClosed: vi.fn(), ...more };
  const session = openSession({ name: 'one', transport, events, startTimeout: 5000 });
  return { session, events, opened: await session.open() };
}
