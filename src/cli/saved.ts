/** A dialogue in a file: the shape of the chat API, which other programs read too, and what goes on from it exactly. */
import type { Piece } from '../../parsers/parser.ts';
import type { AssistantMessage, Message } from '../../templates/template.ts';
import { jsonLine } from '../json.ts';
import type { Speaker } from '../playground/desk.ts';
import type { Saved } from './read-messages.ts';
import type { Session } from './session.ts';
import { writeWhole } from './write-whole.ts';

/** The file holds either what it held before or all of the dialogue. */
export async function saveDialogue(file: string, { agent, host, speaker }: Session): Promise<void> {
  const { model, format } = speaker;
  const messages = agent.messages.map(savedMessage);
  await writeWhole(file, `${jsonLine({ model, format, messages, tools: host.tools })}\n`);
}

/**
 * The messages of a file that `saveDialogue` or another program wrote. The completions of another model or format are left out,
 * so that those replies are rendered from their words and calls.
 */
export function resumedMessages({ content, messages }: Saved, speaker: Speaker): readonly Message[] {
  const { model, format, messages: written } = content;
  if (model !== speaker.model || format !== speaker.format || !Array.isArray(written)) return messages;
  return messages.map((message, index) => {
    const completion: unknown = written[index]?.completion;
    if (message.role !== 'assistant' || !isCompletion(completion, speaker)) return message;
    return { ...message, completion } satisfies AssistantMessage;
  });
}

function isCompletion(value: unknown, { vocabularySize }: Speaker): value is readonly Piece[] {
  const isId = (id: unknown) => Number.isInteger(id) && Number(id) >= 0 && Number(id) < vocabularySize;
  return (
    Array.isArray(value) &&
    value.every(
      piece =>
        typeof piece?.text === 'string' &&
        (piece.control === undefined || typeof piece.control === 'boolean') &&
        (piece.tokens === undefined || (Array.isArray(piece.tokens) && piece.tokens.every(isId))),
    )
  );
}

/** A call's arguments are their exact text. */
function savedMessage(message: Message): object {
  if (message.role === 'tool') {
    const { role, callId, name, content, whole } = message;
    return { role, tool_call_id: callId, name, content, ...(whole === undefined ? {} : { whole }) };
  }
  if (message.role !== 'assistant') return message;
  const { role, content, reasoning, toolCalls, completion } = message;
  return {
    role,
    content,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(toolCalls && toolCalls.length > 0
      ? {
          tool_calls: toolCalls.map(({ id, name, argumentsText }) => ({
            id,
            type: 'function',
            function: { name, arguments: argumentsText },
          })),
        }
      : {}),
    ...(completion === undefined ? {} : { completion }),
  };
}
