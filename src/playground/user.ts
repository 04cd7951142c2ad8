/** The user of a dialogue's page, as the agent and servers know them: who allows calls and fills in forms. */

import type { ToolCall } from '../../parsers/parser.ts';
import { isFields } from '../../templates/check.ts';
import type { ApprovalAnswer, Approve, ToolOwner } from '../agent/approval.ts';
import { badAddress, readElicitationAnswer } from '../mcp/elicitation-answer.ts';
import type { ElicitationAnswer, ElicitationRequest, SamplingRequest } from '../mcp/features.ts';
import { badRequest } from '../server/api-error.ts';
import type { Asks } from './asks.ts';
import type { RunEvent } from './protocol.ts';

export interface UserOptions {
  readonly asks: Asks;
  readonly tell: (event: RunEvent) => void;
  readonly origin: (name: string) => ToolOwner | undefined;
  /** Of the run in progress. */
  readonly signal: () => AbortSignal | undefined;
}

export function playUser({ asks, tell, origin, signal }: UserOptions) {
  async function mayRun(call: ToolCall, owner: { server?: string; tool?: string }): Promise<ApprovalAnswer> {
    const current = signal();
    const answer =
      current &&
      (await asks.ask(ask => tell({ type: 'approval-start', ask, call, ...owner }), readApproval, current));
    return answer ?? { allowed: false, unasked: true, reason: 'the run was stopped before an answer came' };
  }

  async function elicit(request: ElicitationRequest, stopped: AbortSignal): Promise<ElicitationAnswer> {
    const answer = await askedFor(request, stopped);
    const { action } = answer;
    const reason = 'reason' in answer && answer.reason !== undefined ? { reason: answer.reason } : {};
    tell({ type: 'elicitation-end', server: request.server, action, ...reason });
    return answer;
  }

  async function askedFor(request: ElicitationRequest, stopped: AbortSignal): Promise<ElicitationAnswer> {
    const current = signal();
    if (!current) return { action: 'decline', reason: 'no question is being answered' };
    const wrong = request.mode === 'url' ? badAddress(request.url) : undefined;
    if (wrong !== undefined) return { action: 'decline', reason: wrong };
    const answer = await asks.ask(
      ask => tell({ type: 'elicitation-start', ask, ...request }),
      given => readForm(given, request),
      AbortSignal.any([stopped, current]),
    );
    return answer ?? { action: 'cancel' };
  }

  return {
    approve: (call => {
      const owner = origin(call.name);
      return mayRun(call, owner ? { server: owner.server, tool: owner.tool } : {});
    }) satisfies Approve,
    maySample: (call: ToolCall, { server }: SamplingRequest) => mayRun(call, { server }),
    elicit,
  };
}

function readApproval(given: unknown): ApprovalAnswer {
  if (!isFields(given) || typeof given.approved !== 'boolean')
    return badRequest('The answer to an approval is {"approved": true} or {"approved": false}.', 'approved');
  const { approved, always, reason } = given;
  if (approved) return { allowed: true, ...(always === true ? { always } : {}) };
  const words = typeof reason === 'string' ? reason.trim() : '';
  return { allowed: false, ...(words === '' ? {} : { reason: words }) };
}

/** The page says at once what is wrong with a form, and the user goes on with it: only a right one is taken. */
function readForm(given: unknown, request: ElicitationRequest): ElicitationAnswer {
  const declined = isFields(given) && given.action === 'decline';
  const answer = readElicitationAnswer(given, request.mode === 'form' ? request.schema : undefined);
  if (answer.action === 'decline' && !declined) return badRequest(`${answer.reason}.`, 'content');
  return answer;
}
