/** Results as the model gets to read them. */
import type { ToolCall } from '../../parsers/parser.ts';
import type { ToolMessage } from '../../templates/template.ts';
import type { Model } from '../model/model.ts';
import type { ToolResult } from '../tools.ts';
import type { ApprovalAnswer } from './approval.ts';

/** An error says so in its text, since chat templates have no other place for it. */
export function resultMessage(call: ToolCall, { content, isError }: ToolResult, whole?: string): ToolMessage {
  const told = isError && !/^error\b/i.test(content) ? `Error: ${content}` : content;
  return {
    role: 'tool',
    callId: call.id,
    name: call.name,
    content: told,
    ...(isError ? { isError } : {}),
    ...(whole === undefined ? {} : { whole }),
  };
}

export function rejected({ reason, unasked }: ApprovalAnswer): ToolResult {
  const what = unasked ? 'This call was not allowed' : 'The user did not allow this call';
  return { content: `${what}${reason ? `: ${reason}` : '.'}`, isError: true };
}

/** Same name and same arguments, whatever the order of the keys and the spacing. */
export function callKey(call: Pick<ToolCall, 'name' | 'arguments'>): string {
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

/** More characters than a token has in any text that is worth its reading. */
const mostPerToken = 8;

/**
 * Keeps the beginning and the end of a result that would fill the context, whole lines where they are short enough, with a mark
 * between them that the model reads. `limit` is in tokens; a model without a tokenizer counts three characters for one.
 */
export function cutResult(content: string, limit: number, model: Pick<Model, 'countTokens'>): CutResult {
  const count = (text: string) => model.countTokens?.(text) ?? Math.ceil(text.length / 3);
  // No token is longer than a few hundred characters, so a short text need not be counted, nor all of one that can't fit.
  let kept = limit * mostPerToken;
  if (content.length <= limit || (content.length <= kept && count(content) <= limit)) {
    return { content, leftOut: 0 };
  }
  for (kept = Math.min(kept, Math.floor(content.length * 0.9)); ; ) {
    const cut = cutTo(content, kept);
    const tokens = count(cut.content);
    if (kept === 0 || tokens <= limit) return cut;
    kept = Math.floor(kept * Math.min(0.9, limit / tokens));
  }
}

/** @param kept in characters: three quarters of them from the beginning, the others from the end */
function cutTo(content: string, kept: number): CutResult {
  const headRoom = Math.ceil(kept * 0.75);
  const tailRoom = kept - headRoom;
  const lineEnd = content.lastIndexOf('\n', headRoom - 1) + 1;
  const lineStart = content.indexOf('\n', content.length - tailRoom) + 1;
  const head = content.slice(0, lineEnd > headRoom / 2 ? lineEnd : headRoom);
  const tail = content.slice(
    lineStart > 0 && content.length - lineStart > tailRoom / 2 ? lineStart : content.length - tailRoom,
  );
  const leftOut = content.length - head.length - tail.length;
  const mark = `[… ${leftOut} characters left out …]`;
  return { content: `${head.replace(/\n$/, '')}\n${mark}\n${tail}`.toWellFormed(), leftOut };
}
