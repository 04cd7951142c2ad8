/** A connection whose code is loaded when it is opened: the MCP SDK takes as long to load as all of rawcall. */
import { RawcallError } from '../../parsers/error.ts';
import type { Connection } from './connection.ts';

/** `connect` is called once, by `open`. A connection that was closed before it had loaded is never opened. */
export function lazyConnection(name: string, connect: () => Promise<Connection>): Connection {
  let loaded: Connection | undefined;
  let closed = false;

  function opened(): Connection {
    if (loaded) return loaded;
    throw new RawcallError('mcp_server_failed', 'it was not opened yet', { server: name });
  }

  return {
    async open() {
      const connection = await connect();
      if (closed) {
        await connection.close();
        throw new RawcallError('mcp_server_failed', 'it was closed by rawcall', { server: name });
      }
      loaded = connection;
      return connection.open();
    },
    tools: async () => opened().tools(),
    call: async (tool, args, options) => opened().call(tool, args, options),
    resources: async signal => opened().resources(signal),
    readResource: async (uri, signal) => opened().readResource(uri, signal),
    subscribe: async uri => opened().subscribe(uri),
    unsubscribe: async uri => opened().unsubscribe(uri),
    prompts: async signal => opened().prompts(signal),
    prompt: async (name, args, signal) => opened().prompt(name, args, signal),
    complete: async (target, argument, value, context) => opened().complete(target, argument, value, context),
    rootsChanged: async () => opened().rootsChanged(),
    async close() {
      closed = true;
      await loaded?.close();
    },
  };
}
