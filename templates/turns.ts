/** Messages as turns: the results of one assistant message together, in the order of its calls. */
import { RawcallError } from '../parsers/error.ts';
import type { AssistantMessage, Message, ToolMessage } from './template.ts';

export type Turn =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | AssistantMessage
  | { readonly role: 'results'; readonly results: readonly ToolMessage[] };

/**
 * Formats without call ids tie results to calls by their order alone, so results are put in the order of the calls, and a
 * call that was never answered gets a stand-in that says so.
 *
 * @throws RawcallError `unmatched_tool_result` for a result whose call is not in the assistant message before it.
 */
export function toTurns(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  let index = 0;
  while (index < messages.length) {
    const message = messages[index]!;
    if (message.role === 'tool') throw unmatched(message, index, []);
    turns.push(message);
    index++;
    if (message.role !== 'assistant') continue;
    const calls = message.toolCalls ?? [];
    const results = new Map<string, ToolMessage>();
    for (; messages[index]?.role === 'tool'; index++) {
      const result = messages[index] as ToolMessage;
      const known = calls.some(call => call.id === result.callId) && !results.has(result.callId);
      if (!known)
        throw unmatched(
          result,
          index,
          calls.map(call => call.id),
        );
      results.set(result.callId, result);
    }
    if (calls.length > 0 && (results.size > 0 || index < messages.length)) {
      turns.push({ role: 'results', results: calls.map(call => results.get(call.id) ?? standIn(call)) });
    }
  }
  return turns;
}

function standIn(call: { id: string; name: string }): ToolMessage {
  return {
    role: 'tool',
    callId: call.id,
    name: call.name,
    content: 'No result: this call was not answered.',
    isError: true,
  };
}

function unmatched(result: ToolMessage, index: number, ids: readonly string[]): RawcallError {
  const open =
    ids.length === 0
      ? 'the assistant message before it makes no call'
      : `its calls are ${ids.join(', ')}, each answered once`;
  return new RawcallError(
    'unmatched_tool_result',
    `messages[${index}] is the result of call "${result.callId}", but ${open}. Put each result right after the assistant message that made the call.`,
    { index, callId: result.callId },
  );
}

/** The index of the user turn that opens the exchange in progress, or -1. */
export function lastUserTurn(turns: readonly Turn[]): number {
  return turns.findLastIndex(turn => turn.role === 'user');
}
