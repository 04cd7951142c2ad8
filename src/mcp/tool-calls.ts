/** Calls of a server's tools: as a request or as a task, with limits in time, and results that are checked. */
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import { type Fields, isFields } from '../../templates/check.ts';
import type { ToolResult } from '../tools.ts';
import type { CallOptions } from './connection.ts';
import { resultText } from './content.ts';
import { exactArguments } from './exact-arguments.ts';
import type { ElicitationRequest, HostDuties } from './features.ts';
import type { Clock, Patience } from './patience.ts';
import { messageOf, type Requests } from './requests.ts';
import { outputCheck } from './structured.ts';
import { taskOf, taskResult } from './task.ts';

export interface ToolCallsOptions {
  readonly server: string;
  readonly send: Requests['send'];
  readonly patience: Patience;
  readonly elicit: HostDuties['elicit'];
  /** What to say where the connection is gone; undefined where it is not. */
  readonly gone: (error: unknown) => string | undefined;
}

export interface ToolCalls {
  /** As the server last listed them; `tasks` are the names of those that run as tasks only. */
  know(tools: readonly ToolDefinition[], tasks: ReadonlySet<string>): void;
  call(tool: string, args: JsonObject, options?: CallOptions): Promise<ToolResult>;
}

const defaultTimeout = 60_000;
/** A server that reports progress for ever is stopped in the end. */
const totalOverTimeout = 30;
/** Our clock is another than the SDK's, which can't be held. */
const never = 2 ** 31 - 1;

export function toolCalls({ server, send, patience, elicit, gone }: ToolCallsOptions): ToolCalls {
  let checks = new Map<string, ReturnType<typeof outputCheck>>();
  let tasksOnly: ReadonlySet<string> = new Set();

  async function call(tool: string, args: JsonObject, options: CallOptions = {}): Promise<ToolResult> {
    const { signal, timeout = defaultTimeout } = options;
    signal?.throwIfAborted();
    const clock = patience.start({ silence: timeout, total: timeout * totalOverTimeout }, signal);
    try {
      return checked(tool, await answered(tool, args, options, clock));
    } catch (error) {
      signal?.throwIfAborted();
      const content =
        clock.reached === undefined
          ? (gone(error) ?? messageOf(error))
          : `The tool gave no result within ${clock.reached / 1000} s and was cancelled.`;
      return { content, isError: true };
    } finally {
      clock.stop();
    }
  }

  /** A server that needs the user on a page of its own refuses the call first; it is made once more when the user was there. */
  async function answered(
    tool: string,
    args: JsonObject,
    options: CallOptions,
    clock: Clock,
  ): Promise<Fields> {
    try {
      return await request(tool, args, options, clock);
    } catch (error) {
      const pages = elicit ? pagesAskedFor(server, error) : [];
      if (!elicit || pages.length === 0) throw error;
      for (const page of pages) {
        const { action } = await patience.during(elicit(page, clock.signal));
        if (action !== 'accept') throw new Error(`${messageOf(error)} The user did not go there.`);
      }
      return request(tool, args, options, clock);
    }
  }

  async function request(
    tool: string,
    args: JsonObject,
    { onProgress, argumentsText }: CallOptions,
    { signal, alive }: Clock,
  ): Promise<Fields> {
    const asTask = tasksOnly.has(tool);
    const first = await send(
      'tools/call',
      { name: tool, arguments: exactArguments(args, argumentsText), ...(asTask ? { task: {} } : {}) },
      {
        timeout: never,
        signal,
        // Asks the server for progress, which is a sign of life.
        onprogress: ({ progress, total, message }) => {
          alive();
          onProgress?.({
            progress,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message }),
          });
        },
      },
    );
    const task = asTask ? taskOf(first) : undefined;
    if (!task) return first;
    return taskResult(task, {
      signal,
      onAlive: alive,
      onProgress: news => onProgress?.(news),
      // To cancel a task is a request too, which must go out when all else has ended.
      send: (method, params) =>
        send(method, params, method === 'tasks/cancel' ? {} : { timeout: never, signal }),
    });
  }

  function checked(tool: string, raw: Fields): ToolResult {
    const result = resultText(raw);
    const warnings = result.isError ? [] : (checks.get(tool)?.(raw.structuredContent ?? undefined) ?? []);
    return warnings.length === 0 ? result : { ...result, warnings };
  }

  return {
    know(tools, tasks) {
      checks = new Map(tools.map(({ name, outputSchema }) => [name, outputCheck(outputSchema)]));
      tasksOnly = tasks;
    },
    call,
  };
}

function pagesAskedFor(server: string, error: unknown): ElicitationRequest[] {
  if (!(error instanceof McpError) || error.code !== ErrorCode.UrlElicitationRequired) return [];
  const { elicitations } = isFields(error.data) ? error.data : {};
  return (Array.isArray(elicitations) ? elicitations : [])
    .filter(isFields)
    .flatMap(({ url, message }) =>
      typeof url === 'string' ? [{ server, mode: 'url' as const, message: String(message ?? ''), url }] : [],
    );
}
