/** Makes a prompt fit into the context: by leaving out whole exchanges, the oldest first, or not at all. */
import { RawcallError } from '../../parsers/error.ts';
import type { Conversation, Message } from '../../templates/template.ts';
import type { Model, TokenBill } from '../model/model.ts';
import type { TurnView } from './policy.ts';

export interface Fit {
  readonly conversation: Conversation;
  /** How many messages of earlier exchanges were left out. */
  readonly leftOut: number;
}

/** Tokens that a reply needs at the least. */
const smallestReply = 64;

/**
 * The system text, the question in progress and its results always stay, and a call never goes without its result.
 *
 * @throws RawcallError `prompt_too_long`, with the bill and what would help
 */
export function fitting(model: Model, { conversation, render }: TurnView): Fit {
  const { contextSize } = model;
  if (contextSize === undefined || model.bill === undefined) return { conversation, leftOut: 0 };
  const { messages, tools } = conversation;
  const exchanges = exchangesOf(messages);
  for (let from = 0; ; from++) {
    const seen = [...exchanges.opening, ...exchanges.list.slice(from).flat()];
    const bill = model.bill({ messages: seen, tools }, render);
    if (bill.total + smallestReply <= contextSize)
      return { conversation: { messages: seen, tools }, leftOut: messages.length - seen.length };
    if (from >= exchanges.list.length - 1) throw tooLong(bill, contextSize, tools.length);
  }
}

/** What stands before the first question, and then each question with all that followed it. */
function exchangesOf(messages: readonly Message[]): { opening: Message[]; list: Message[][] } {
  const opening: Message[] = [];
  const list: Message[][] = [];
  for (const message of messages) {
    if (message.role === 'user') list.push([message]);
    else (list.at(-1) ?? opening).push(message);
  }
  return { opening, list };
}

function tooLong(bill: TokenBill, contextSize: number, toolCount: number): RawcallError {
  const { total, tools, system, user, tool, assistant, template } = bill;
  const parts = [
    [tools, `the ${toolCount} tools`],
    [system, 'the system text'],
    [user, 'the question'],
    [tool, 'results'],
    [assistant, 'calls'],
    [template, "the template's own text"],
  ] as const;
  const listed = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} for ${what}`);
  const largest = parts.reduce((most, one) => (one[0] > most[0] ? one : most))[1];
  return new RawcallError(
    'prompt_too_long',
    `The prompt has ${total} tokens and a reply needs ${smallestReply}, but the context holds ${contextSize}: ${listed.join(', ')}. Open the model with a bigger contextSize, or make ${largest} smaller.`,
    { promptTokens: total, contextSize, bill },
  );
}
