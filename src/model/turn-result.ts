/** What a turn comes to: its message, and its calls, good and failed. */
import type { Piece, StopReason, ToolCall } from '../../parsers/parser.ts';
import type { Collected } from '../../parsers/read.ts';
import type { AssistantMessage } from '../../templates/template.ts';
import type { TurnResult } from './model.ts';

/** `completion`: as the model wrote it, where that is known and may be written back. */
export function turnResult(
  read: Collected,
  completion: readonly Piece[] | undefined,
  reason: StopReason,
): TurnResult {
  const { content, reasoning, ended, problems } = read;
  const failed = problems
    .filter(({ index }) => index >= 0)
    .map(({ index, id, writtenId, name = 'unreadable_call', problem, message }) => {
      const call: ToolCall = {
        // A call that broke before its name has no id, and its result needs one.
        id: id || `unreadable_${index}`,
        ...(writtenId === undefined ? {} : { writtenId }),
        name,
        arguments: {},
        argumentsText: '{}',
      };
      return { index, call, problem, message };
    });
  const toolCalls = [...ended, ...failed]
    .sort((left, right) => left.index - right.index)
    .map(({ call }) => call);
  const message: AssistantMessage = {
    role: 'assistant',
    content: content.trim(),
    ...(completion === undefined ? {} : { completion }),
    ...(reasoning.trim() === '' ? {} : { reasoning: reasoning.trim() }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
  return { message, calls: ended.map(({ call }) => call), failed, reason };
}
