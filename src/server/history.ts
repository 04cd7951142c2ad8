/**
 * Messages of a conversation that comes in parts, as the APIs with items and blocks give it: what the assistant said in a row is one
 * turn of it. Each call has to be answered once, before anything else is said.
 */
import { RawcallError } from '../../parsers/error.ts';
import type { ToolCall } from '../../parsers/parser.ts';
import type { AssistantMessage, Message } from '../../templates/template.ts';

export interface History {
  /** The assistant's own parts are `say`'s. */
  add(role: 'system' | 'user', content: string): void;
  say(part: Said, place: string): void;
  /** The result of a call. */
  answer(result: Answered, place: string): void;
  /** The whole of it. */
  messages(): Message[];
}

export type Said = { readonly text: string } | { readonly reasoning: string } | { readonly call: ToolCall };

export interface Answered {
  readonly callId: string;
  readonly content: string;
  readonly isError?: boolean;
}

interface Turn {
  readonly texts: string[];
  readonly thoughts: string[];
  readonly calls: ToolCall[];
}

/** Every method throws RawcallError `bad_messages`, with the place in `details.where`. */
export function openHistory(): History {
  const messages: Message[] = [];
  /** What the assistant is saying. */
  let turn: Turn | undefined;
  /** The calls of its last turn that have no result yet, and where they stand. */
  let open: { readonly call: ToolCall; readonly place: string }[] = [];

  function endTurn(): void {
    if (turn) messages.push(assistantMessage(turn));
    turn = undefined;
  }

  function checkAnswered(): void {
    const [first] = open;
    if (first)
      refuse(first.place, `the call "${first.call.id}" has no result behind it. Each call has to have one.`);
  }

  return {
    add(role, content) {
      checkAnswered();
      endTurn();
      messages.push({ role, content });
    },
    say(part, place) {
      if (!turn) {
        checkAnswered();
        turn = { texts: [], thoughts: [], calls: [] };
      }
      if ('text' in part) turn.texts.push(part.text);
      else if ('reasoning' in part) turn.thoughts.push(part.reasoning);
      else {
        const { call } = part;
        if (turn.calls.some(({ id }) => id === call.id))
          refuse(place, `the id "${call.id}" is that of another call of this turn.`);
        turn.calls.push(call);
        open.push({ call, place });
      }
    },
    answer({ callId, content, isError = false }, place) {
      endTurn();
      const call = open.find(({ call: { id } }) => id === callId)?.call;
      if (!call) {
        const ids = open.map(({ call: { id } }) => `"${id}"`).join(', ');
        const hint = ids === '' ? 'No call is open here.' : `These are open: ${ids}.`;
        return refuse(place, `there is no call "${callId}" that this could be the result of. ${hint}`);
      }
      open = open.filter(one => one.call !== call);
      messages.push({
        role: 'tool',
        callId,
        name: call.name,
        content,
        ...(isError ? { isError } : {}),
      });
    },
    messages() {
      checkAnswered();
      endTurn();
      return messages;
    },
  };
}

function assistantMessage({ texts, thoughts, calls }: Turn): AssistantMessage {
  const reasoning = thoughts.join('\n');
  return {
    role: 'assistant',
    content: texts.join('\n'),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
}

function refuse(where: string, fault: string): never {
  throw new RawcallError('bad_messages', `${where}: ${fault}`, { where });
}
