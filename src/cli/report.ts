/** Where the events of a run go: to people, or as JSON to a program. */

import { RawcallError } from '../../parsers/error.ts';
import type { ToolCall } from '../../parsers/parser.ts';
import type { AgentEvent } from '../agent/events.ts';
import { jsonLine } from './json.ts';
import type { ShowPart, Values } from './settings.ts';
import { createShow, notice } from './show.ts';

/** What the command line itself adds to the events of a run. */
export type CliEvent =
  | AgentEvent
  | { readonly type: 'server-failed'; readonly server: string; readonly message: string }
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
  /** A question mentioned it. `characters` is all of it; `leftOut`, what was too much. */
  | {
      readonly type: 'resource-attached';
      readonly server: string;
      readonly uri: string;
      readonly characters: number;
      readonly leftOut?: number;
    }
  /** One that is watched is another now. */
  | { readonly type: 'resource-updated'; readonly server: string; readonly uri: string }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

export type Report = (event: CliEvent) => void;

export function createReport(
  { json, show, answerTurn }: Values,
  shownByDefault: readonly ShowPart[] = [],
): Report {
  const people = createShow(show ?? shownByDefault, answerTurn);
  return event => {
    if (json) process.stdout.write(`${jsonLine(event)}\n`);
    switch (event.type) {
      case 'server-failed':
        return notice(`MCP server ${event.server}: ${event.message}`);
      case 'tool-problem':
        return notice(`MCP server ${event.server}, tool ${event.tool}: ${event.message}`);
      case 'resource-attached':
        return notice(attached(event));
      case 'resource-updated':
        return notice(`${event.server}:${event.uri} has changed. Mention it again to have it read anew.`);
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

export function errorEvent(error: unknown): CliEvent {
  const code = RawcallError.isInstance(error) ? error.code : 'unexpected';
  return { type: 'error', code, message: error instanceof Error ? error.message : String(error) };
}
