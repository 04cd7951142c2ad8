/** The playground over models and servers, whichever command opens those. */
import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import type { ApprovalRules } from '../../agent/approval.ts';
import type { Host } from '../../mcp/host.ts';
import type { McpServer } from '../../mcp/servers.ts';
import { createPlayground } from '../../playground/app.ts';
import type { Callers } from '../../playground/callers.ts';
import { type DialogueStore, fileStore, memoryStore } from '../../playground/dialogue-store.ts';
import { openDialogues } from '../../playground/dialogues.ts';
import { redactor } from '../../transcript/redact.ts';
import { dialoguesFolder, evalsFolder, runsFolder } from '../folders.ts';
import type { Lifetime } from '../lifetime.ts';
import { playgroundPages } from '../package.ts';
import { agentMaker, keptOut } from '../recording.ts';
import type { Values } from '../settings.ts';
import { notice } from '../show.ts';
import { type Changes, openDesk } from './desk.ts';
import { modelChoices } from './model-choices.ts';
import type { Models } from './models.ts';

export interface PlaygroundParts {
  readonly values: Values;
  readonly lifetime: Lifetime;
  readonly servers: readonly McpServer[];
  /** Gives it when the servers are there. */
  readonly host: () => Promise<Host>;
  readonly models: Models;
  readonly callers: Callers;
  readonly changes: Changes;
  readonly rules: Pick<ApprovalRules, 'mode' | 'patterns'>;
  /** Where it listens. */
  readonly address: string;
  readonly allowHost?: readonly string[];
  readonly token: string;
  /** The folder of the page's files. Default: where the package has them. */
  readonly pages?: string;
}

/** @throws RawcallError `bad_pattern`, before anything is waited for */
export async function openPlayground(parts: PlaygroundParts): Promise<Hono> {
  const { values, lifetime, servers, models, callers, changes, rules, address, token } = parts;
  const makeAgent = agentMaker(values, servers, lifetime);
  const store = dialogueStore(values, servers);
  const [host, choices] = await Promise.all([parts.host(), modelChoices(values, models)]);
  const ruled = { ...rules, origin: host.origin };
  const desk = openDesk({ values, models, host, rules: ruled, makeAgent, choices, changes });
  const dialogues = openDialogues({ store, desk, callers, rules, now: Date.now });
  lifetime.closeAtEnd(() => dialogues.close());
  return createPlayground({
    desk,
    dialogues,
    runs: {
      ...(values.record === false ? {} : { runs: values.record ?? runsFolder() }),
      evals: evalsFolder(),
    },
    pages: parts.pages ?? playgroundPages,
    access: { hosts: [address, ...(parts.allowHost ?? [])] },
    token,
    onError: error => notice(`A request failed: ${error instanceof Error ? error.message : String(error)}`),
  });
}

function dialogueStore(values: Values, servers: readonly McpServer[]): DialogueStore {
  const { secrets = [], redact = [] } = keptOut(values, servers);
  if (values.record === false) return memoryStore;
  return fileStore({
    folder: dialoguesFolder(),
    redactor: redactor(secrets, redact),
    onFailure: notice,
  });
}

/** Of the page, with what lets it in. */
export function pageAddress(server: string, token: string): string {
  return `${server}/play/#token=${encodeURIComponent(token)}`;
}

/** Whether only this machine can get there. */
export function isLoopback(address: string): boolean {
  return ['localhost', '127.0.0.1', '::1'].includes(address);
}

/** Another one each time that it is asked for. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}
