/** Results as the model gets to read them. */
import type { ToolCall } from '../../parsers/parser.ts';
import type { ToolMessage } from '../../templates/template.ts';
import type { Model } from '../model/model.ts';
import type { ToolResult } from '../tools.ts';
import type { ApprovalAnswer } from './approval.ts';

/** An error says so in its text, since chat templates have no other place for it. */
export function resultMessage(call: ToolCall, { content, isError }: ToolResult): ToolMessage {
  const told = isError && !/^error\b/i.test(content) ? `Error: ${content}` : content;
  return { role: 'tool', callId: call.id, name: call.name, content: told, ...(isError ? { isError } : {}) };
}

export function rejected({ reason, unasked }: ApprovalAnswer): ToolResult {
  const what = unasked ? 'This call was not allowed' : 'The user did not allow this call';
  return { content: `${what}${reason ? `: ${reason}` : '.'}`, isError: true };
}

/** Same name and same arguments, whatever the order of the keys and the spacing. */
export function callKey(call: ToolCall): string {
  return `${call.name} ${JSON.stringify(sorted(call.arguments))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return entries.map(([key, inner]) => [key, sorted(inner)]);
}

export interface CutResult {
  readonly content: string;
  readonly leftOut: number;
}

/**
 * Keeps the beginning and the end of a result that would fill the context, with a mark between them that the model reads.
 * `limit` is in tokens; a model without a tokenizer counts three characters for one.
 */
export function cutResult(content: string, limit: number, model: Pick<Model, 'countTokens'>): CutResult {
  const count = (text: string) => model.countTokens?.(text) ?? Math.ceil(text.length / 3);
  // No token is longer than a few hundred characters, so a short text need not be counted.
  if (content.length <= limit || count(content) <= limit) return { content, leftOut: 0 };
  let kept = content.length;
  for (;;) {
    kept = Math.floor(kept * 0.8);
    const head = Math.ceil(kept * 0.75);
    const leftOut = content.length - kept;
    const tail = kept > head ? content.slice(head - kept) : '';
    const cut = `${content.slice(0, head)}\n[… ${leftOut} characters left out …]\n${tail}`.toWellFormed();
    if (kept === 0 || count(cut) <= limit) return { content: cut, leftOut };
  }
}
