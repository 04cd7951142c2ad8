/** Runs a built-in server over stdin and stdout until its client goes away: `rawcall mcp-server NAME [ARGS]`. */
import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type RequestId,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { RawcallError } from '../../../parsers/error.ts';
import type { JsonObject } from '../../../parsers/parser.ts';
import type { BuiltInServer, Resources, RunningServer } from './built-in.ts';
import { calc } from './calc.ts';
import { materials } from './materials.ts';
import { vault } from './vault.ts';

export const builtInServers: readonly BuiltInServer[] = [calc, materials, vault];

/**
 * Resolves when the client has closed its end.
 *
 * @throws RawcallError `unknown_mcp_server`, `bad_mcp_server_arguments`
 */
export async function serveBuiltIn(
  name: string,
  args: readonly string[] = [],
  stdin: Readable = process.stdin,
  stdout: Writable = process.stdout,
): Promise<void> {
  const ended = new Promise<void>(resolve => {
    stdin.once('end', resolve).once('close', resolve);
    // A client that died leaves a pipe that nobody reads.
    stdout.once('error', () => resolve());
  });
  const transport = new StdioServerTransport(stdin, stdout);
  const answered = answersOf(transport);
  const server = await connectBuiltIn(name, args, transport);
  await ended;
  // Requests that were piped in without waiting still get their answers.
  await answered();
  await server.close();
}

/** Waits for the requests that came in so far; a cancelled one is not answered. */
function answersOf(transport: Transport): () => Promise<void> {
  const waiting = new Set<RequestId>();
  let onAnswer = () => {};
  transport.onmessage = message => {
    if ('method' in message && 'id' in message) waiting.add(message.id);
    else if ('method' in message && message.method === 'notifications/cancelled')
      waiting.delete(message.params?.requestId as RequestId);
  };
  const send = transport.send.bind(transport);
  transport.send = async message => {
    await send(message);
    if ('id' in message && message.id !== undefined && !('method' in message)) waiting.delete(message.id);
    onAnswer();
  };
  return () =>
    new Promise(resolve => {
      onAnswer = () => waiting.size === 0 && resolve();
      onAnswer();
    });
}

/** The same over any transport. */
export async function connectBuiltIn(
  name: string,
  args: readonly string[],
  transport: Transport,
): Promise<Server> {
  const builtIn = builtInServers.find(one => one.name === name);
  if (!builtIn) {
    const known = builtInServers.map(one => one.name).join(', ');
    const message = `rawcall brings no MCP server "${name}". It brings: ${known}.`;
    throw new RawcallError('unknown_mcp_server', message, { name });
  }
  const running = await builtIn.start(args);
  // The low-level server, because the high-level one rewrites the schemas that it is given.
  const server = new Server(
    { name: `rawcall-${name}`, version: '1.0.0' },
    { capabilities: { tools: {}, ...(running.resources ? { resources: {} } : {}) } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: builtIn.tools as Tool[] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(running, params.name, (params.arguments ?? {}) as JsonObject),
  );
  if (running.resources) offerResources(server, running.resources);
  await server.connect(transport);
  return server;
}

async function callTool(running: RunningServer, name: string, args: JsonObject): Promise<CallToolResult> {
  const handler = Object.hasOwn(running.handlers, name) ? running.handlers[name] : undefined;
  if (!handler) return result(`There is no tool "${name}".`, true);
  try {
    return result(await handler(args), false);
  } catch (error) {
    // Only what was written for the model goes out: the message of any other error may name a path of this machine.
    return result(RawcallError.isInstance(error) ? error.message : `The tool ${name} failed.`, true);
  }
}

function result(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}

const pageSize = 500;

function offerResources(server: Server, resources: Resources): void {
  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) => {
    const all = await resources.list();
    const start = Number(params?.cursor ?? 0);
    if (!Number.isSafeInteger(start) || start < 0)
      throw new McpError(ErrorCode.InvalidParams, 'This is no cursor of this server.');
    const end = start + pageSize;
    return {
      resources: all.slice(start, end).map(one => ({ ...one })),
      ...(end < all.length ? { nextCursor: String(end) } : {}),
    };
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ ...resources.template }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    const { text, mimeType } = await resources.read(params.uri).catch(error => {
      const message = RawcallError.isInstance(error) ? error.message : 'The resource could not be read.';
      throw new McpError(ErrorCode.InvalidParams, message);
    });
    return { contents: [{ uri: params.uri, mimeType, text }] };
  });
}
