/**
 * What the model really wrote, for conversations that clients send back. A client's copy of a reply has lost its spelling, and
 * of a reply with tools that ran here it has the words alone; rendered anew it would be other tokens: nothing behind it could be
 * found in the KV cache.
 */
import { createHash } from 'node:crypto';
import type { ToolCall } from '../../parsers/parser.ts';
import type { AssistantMessage, Message } from '../../templates/template.ts';

export interface CompletionMemory {
  /** Gives replies that are known here their completions back, and the calls and results that were behind them. */
  recall(messages: readonly Message[]): Message[];
  /**
   * `reply` was the reply to these messages.
   *
   * @param behind the messages that it was put together from, where it is not the only one
   */
  keep(messages: readonly Message[], reply: AssistantMessage, behind?: readonly Message[]): void;
}

/** Replies. Each is a few kB. */
const mostKept = 1000;

export function completionMemory(): CompletionMemory {
  const kept = new Map<string, readonly Message[]>();

  function put(key: string, behind: readonly Message[]): void {
    kept.delete(key);
    kept.set(key, behind);
    if (kept.size > mostKept) kept.delete([...kept.keys()][0] ?? '');
  }

  return {
    recall(messages) {
      const chain = chained();
      return messages.flatMap(message => {
        const behind = kept.get(chain(message));
        return behind && message.role === 'assistant' ? asSent(message, behind) : [message];
      });
    },
    keep(messages, reply, behind = [reply]) {
      const chain = chained();
      for (const one of messages) chain(one);
      // Other clients send each message of it back.
      const inner = chain.copy();
      for (const one of behind) {
        const key = inner(one);
        if (one.role === 'assistant') put(key, [one]);
      }
      put(chain(reply), behind);
    },
  };
}

/** The last of the assistant's messages is the one that the client has, thoughts and ids and all. */
function asSent(sent: AssistantMessage, behind: readonly Message[]): Message[] {
  const last = behind.findLastIndex(({ role }) => role === 'assistant');
  return behind.map((message, index) => {
    if (index !== last || message.role !== 'assistant') return message;
    const { completion, content, toolCalls } = message;
    const calls = toolCalls && withIds(toolCalls, sent.toolCalls ?? []);
    return {
      ...sent,
      content,
      ...(calls ? { toolCalls: calls } : {}),
      ...(completion ? { completion } : {}),
    };
  });
}

/** The client's results name its calls by the ids that it knows. */
function withIds(calls: readonly ToolCall[], sent: readonly ToolCall[]): ToolCall[] {
  const left = [...sent];
  return calls.map(call => {
    const same = left.findIndex(one => one.name === call.name && one.argumentsText === call.argumentsText);
    return same === -1 ? call : left.splice(same, 1)[0]!;
  });
}

/** The key of each message is of all before it too: the same words are another reply elsewhere. */
function chained(before = '') {
  const chain = (message: Message): string => {
    before = createHash('sha256')
      .update(before)
      .update(JSON.stringify(said(message)))
      .digest('base64');
    return before;
  };
  return Object.assign(chain, { copy: () => chained(before) });
}

/** What a client sends back of a message. Thoughts and ids often are not among it. */
function said(message: Message) {
  const content = message.content.trim();
  if (message.role !== 'assistant') return [message.role, content];
  return [message.role, content, message.toolCalls?.map(call => [call.name, call.argumentsText])];
}
