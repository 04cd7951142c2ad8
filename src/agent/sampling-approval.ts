/** What servers ask our model is put to the user as a call is, under the name `sampling/SERVER`. */
import type { ToolCall } from '../../parsers/parser.ts';
import type { SamplingRequest } from '../mcp/features.ts';
import { type ApprovalAnswer, type ApprovalRules, approval } from './approval.ts';

export interface SamplingApprovalOptions {
  readonly rules: Pick<ApprovalRules, 'mode' | 'patterns'>;
  /** Asks the user; the call's arguments are the request. Absent: what would be asked is refused. */
  readonly ask?: (call: ToolCall, request: SamplingRequest) => Promise<ApprovalAnswer>;
}

export function samplingApproval({
  rules,
  ask,
}: SamplingApprovalOptions): (request: SamplingRequest) => Promise<ApprovalAnswer> {
  const asked = new Map<string, SamplingRequest>();
  const approve = approval({
    ...rules,
    origin: name => ({ server: 'sampling', tool: name.slice('sampling/'.length), settings: {} }),
    ...(ask ? { ask: call => ask(call, asked.get(call.id)!) } : {}),
  });
  let count = 0;

  return async request => {
    const id = `sampling_${++count}`;
    const { server, ...args } = request;
    const argumentsText = JSON.stringify(args);
    asked.set(id, request);
    try {
      const call = { id, name: `sampling/${server}`, arguments: JSON.parse(argumentsText), argumentsText };
      return await approve(call, undefined);
    } finally {
      asked.delete(id);
    }
  };
}
