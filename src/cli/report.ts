/** Where the events of a run go: to people, or as JSON to a program. */

import { RawcallError } from '../../parsers/error.ts';
import type { ToolCall } from '../../parsers/parser.ts';
import type { AgentEvent } from '../agent/events.ts';
import type { SamplingEvent } from '../agent/sampling-events.ts';
import { jsonLine } from '../json.ts';
import type { ServerWarning } from '../mcp/connection.ts';
import type { AttachedResource, ElicitationAnswer, ElicitationRequest, ServerLog } from '../mcp/features.ts';
import type { ShowPart, Values } from './settings.ts';
import { createShow, notice } from './show.ts';

/** What the command line itself adds to the events of a run. */
export type CliEvent =
  | AgentEvent
  | { readonly type: 'server-failed'; readonly server: string; readonly message: string }
  /** What is wrong with a server that works all the same. */
  | {
      readonly type: 'server-warning';
      readonly server: string;
      readonly warning: 'slow_start' | ServerWarning['warning'];
      readonly message: string;
    }
  /** A server that was slow to start is ready. */
  | { readonly type: 'server-joined'; readonly server: string; readonly tools: number }
  /** A tool that is not offered, or not all of it. */
  | {
      readonly type: 'tool-problem';
      readonly server: string;
      readonly tool: string;
      readonly message: string;
    }
  /** The next line of stdin answers it. `tool` is the server's own name for what the call names. */
  | {
      readonly type: 'approval-start';
      readonly call: ToolCall;
      readonly server?: string;
      readonly tool?: string;
    }
  /** A question mentioned it. */
  | ({ readonly type: 'resource-attached' } & AttachedResource)
  /** One that is watched is another now. */
  | { readonly type: 'resource-updated'; readonly server: string; readonly uri: string }
  /** A server asks the user for something; the next line of stdin answers it. */
  | ({ readonly type: 'elicitation-start' } & ElicitationRequest)
  /** `reason`: why it was declined, where nobody declined it. */
  | {
      readonly type: 'elicitation-end';
      readonly server: string;
      readonly action: ElicitationAnswer['action'];
      readonly reason?: string;
    }
  | SamplingEvent
  | ({ readonly type: 'server-log' } & ServerLog)
  | { readonly type: 'error'; readonly code: string; readonly message: string };

export type Report = (event: CliEvent) => void;

export function createReport({ json, show }: Values, shownByDefault: readonly ShowPart[] = []): Report {
  const shown = show ?? shownByDefault;
  const people = createShow(shown);
  return event => {
    if (json) process.stdout.write(`${jsonLine(event)}\n`);
    switch (event.type) {
      case 'server-failed':
      case 'server-warning':
        return notice(`MCP server ${event.server}: ${event.message}`);
      case 'server-joined':
        return notice(`MCP server ${event.server}: ready, with ${event.tools} tools`);
      case 'tool-problem':
        return notice(`MCP server ${event.server}, tool ${event.tool}: ${event.message}`);
      case 'resource-attached':
        return notice(attached(event));
      case 'resource-updated':
        return notice(`${event.server}:${event.uri} has changed. Mention it again to have it read anew.`);
      case 'server-log':
        if (shown.includes('logs') && !json) notice(logged(event));
        return;
      case 'sampling-end':
        if (!json) notice(sampled(event));
        return;
      case 'elicitation-end':
        if (event.reason !== undefined && !json)
          notice(`${event.server} asked for something, which was declined: ${event.reason}`);
        return;
      case 'sampling-start':
      case 'elicitation-start':
      case 'approval-start':
      case 'error':
        return;
      default:
        if (!json) people(event);
    }
  };
}

function attached({ server, uri, characters, leftOut }: CliEvent & { type: 'resource-attached' }): string {
  const cut = leftOut === undefined ? '' : `; ${leftOut} in its middle are left out, for the context's sake`;
  return `attached: ${server}:${uri}, ${characters} characters${cut}`;
}

function logged({ server, level, logger, text }: CliEvent & { type: 'server-log' }): string {
  return `${server}${logger === undefined ? '' : `/${logger}`} ${level}: ${text}`;
}

function sampled(event: CliEvent & { type: 'sampling-end' }): string {
  return 'reason' in event
    ? `${event.server} asked the model for a text and got none: ${event.reason}`
    : `${event.server} got a text of the model: ${event.text}`;
}

export function errorEvent(error: unknown): CliEvent {
  const code = RawcallError.isInstance(error) ? error.code : 'unexpected';
  return { type: 'error', code, message: error instanceof Error ? error.message : String(error) };
}
