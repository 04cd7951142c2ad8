/** Tools that are none: a server within this process, which gives what a task file says. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import { parseTools } from '../../templates/tools.ts';
import type { Connection } from '../mcp/connection.ts';
import { readTools } from '../mcp/tool-listing.ts';
import type { ToolResult } from '../tools.ts';
import { argumentsMatch } from './match.ts';
import type { Stub, StubOutcome } from './task.ts';
import type { RawStub } from './task-schema.ts';

const nothingFound = 'Nothing was found for these arguments.';

/** @throws RawcallError `bad_tools` */
export function readStubs(raw: readonly RawStub[], where: string): Stub[] {
  const definitions = parseTools(raw, where);
  return raw.map((one, at) => ({ definition: definitions[at] as ToolDefinition, outcomes: outcomesOf(one) }));
}

function outcomesOf({ results, result, error, delay }: RawStub): StubOutcome[] {
  return (results ?? [{ result, error, delay }]).map(one => ({
    ...('when' in one && one.when !== undefined ? { when: one.when } : {}),
    content: one.error ?? (typeof one.result === 'string' ? one.result : JSON.stringify(one.result)),
    isError: one.error !== undefined,
    ...(one.delay === undefined ? {} : { delay: one.delay }),
  }));
}

/** As if a server offered them, so that names, schemas and time limits are what they are with any server. */
export function stubConnection(stubs: readonly Stub[]): Connection {
  const none = async () => [];
  return {
    open: async () => ({ name: 'stubs', version: '1', protocolVersion: '', capabilities: ['tools'] }),
    tools: async () => readTools(stubs.map(({ definition }) => definition)),
    call: (name, args, { signal } = {}) => answered(stubs, name, args, signal),
    resources: async () => ({ resources: [], templates: [] }),
    readResource: none,
    subscribe: async () => {},
    unsubscribe: async () => {},
    prompts: none,
    prompt: none,
    complete: none,
    rootsChanged: async () => {},
    close: async () => {},
  };
}

async function answered(
  stubs: readonly Stub[],
  name: string,
  args: JsonObject,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  signal?.throwIfAborted();
  const stub = stubs.find(({ definition }) => definition.name === name);
  // As a task compares, but that arguments which `when` does not name may be any.
  const found = stub?.outcomes.find(
    ({ when }) => when === undefined || argumentsMatch(when, named(args, when)),
  );
  if (!found) return { content: nothingFound, isError: true };
  const { content, isError, delay } = found;
  if (delay !== undefined) await sleep(delay * 1000, undefined, signal ? { signal } : {});
  return { content, isError };
}

function named(args: JsonObject, when: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(when, name)));
}
