/**
 * What the model really wrote, for conversations that clients send back. A client's copy of a reply has lost its spelling, and
 * rendered anew it would be other tokens: nothing behind it could be found in the KV cache.
 */
import { createHash } from 'node:crypto';
import type { AssistantMessage, Message } from '../../templates/template.ts';

export interface CompletionMemory {
  /** Gives replies that are known here their completions back. */
  recall(messages: readonly Message[]): Message[];
  /** `message` was the reply to these messages. */
  keep(messages: readonly Message[], message: AssistantMessage): void;
}

/** Replies. Each is a few kB. */
const mostKept = 1000;

export function completionMemory(): CompletionMemory {
  const kept = new Map<string, AssistantMessage['completion']>();

  return {
    recall(messages) {
      const chain = chained();
      return messages.map(message => {
        const key = chain(message);
        const completion = message.role === 'assistant' ? kept.get(key) : undefined;
        return completion ? { ...message, completion } : message;
      });
    },
    keep(messages, message) {
      const chain = chained();
      for (const one of messages) chain(one);
      const key = chain(message);
      kept.delete(key);
      kept.set(key, message.completion);
      if (kept.size > mostKept) kept.delete([...kept.keys()][0] ?? '');
    },
  };
}

/** The key of each message is of all before it too: the same words are another reply elsewhere. */
function chained(): (message: Message) => string {
  let before = '';
  return message => {
    before = createHash('sha256')
      .update(before)
      .update(JSON.stringify(said(message)))
      .digest('base64');
    return before;
  };
}

/** What a client sends back of a message. Thoughts and ids often are not among it. */
function said(message: Message) {
  const content = message.content.trim();
  if (message.role !== 'assistant') return [message.role, content];
  return [message.role, content, message.toolCalls?.map(call => [call.name, call.argumentsText])];
}
