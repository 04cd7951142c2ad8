/** Makes a prompt fit into the context: by leaving out whole exchanges, the oldest first, or not at all. */
import { RawcallError } from '../../parsers/error.ts';
import type { Message } from '../../templates/template.ts';
import type { Model, PromptSize, TurnPrompt } from '../model/model.ts';
import type { TurnView } from './policy.ts';

export interface Fit {
  readonly prompt: TurnPrompt;
  /** How many messages of earlier exchanges were left out. */
  readonly leftOut: number;
}

/** Tokens that a reply needs at the least. */
const smallestReply = 64;

/**
 * The prompts of one dialogue. The system text, the question in progress and its results always stay, and a call never goes
 * without its result.
 *
 * A prompt whose beginning is gone is evaluated anew from there. So what was left out stays out, and so much is left out at
 * once that half of the room for earlier exchanges is free: the turns that follow only add to it.
 *
 * The function that it gives throws RawcallError `prompt_too_long`, with the bill and what would help.
 */
export function fitter(model: Model): (view: TurnView) => Fit {
  /** Where each lane's exchanges begin; not yet where the dialogue is a new one. */
  const begins = new Map<string, number>();

  return ({ conversation: { messages, tools }, render, lane }) => {
    const { opening, exchanges } = exchangesOf(messages);
    const promptFrom = (from: number) => {
      const seen = from === 0 ? messages : [...opening, ...exchanges.slice(from).flat()];
      return model.render({ messages: seen, tools }, render);
    };
    const beginAt = (from: number, prompt = promptFrom(from)): Fit => {
      begins.set(lane, from);
      return { prompt, leftOut: exchanges.slice(0, from).flat().length };
    };

    const last = Math.max(0, exchanges.length - 1);
    const before = begins.get(lane) ?? 0;
    const from = before > last ? 0 : before;
    const prompt = promptFrom(from);
    const room = (model.contextSize ?? Number.POSITIVE_INFINITY) - smallestReply;
    if (tokens(prompt) <= room) return beginAt(from, prompt);

    const shortest = promptFrom(last);
    const { size } = shortest;
    if (size && size.tokens > room) throw tooLong(size, room + smallestReply, tools.length);
    const least = tokens(shortest);
    const enough = least + (room - least) / 2;
    let [tooMany, few] = [from, last];
    while (few - tooMany > 1) {
      const middle = Math.floor((tooMany + few) / 2);
      if (tokens(promptFrom(middle)) <= enough) few = middle;
      else tooMany = middle;
    }
    return beginAt(few);
  };
}

/** What can't be counted is taken to fit. */
const tokens = ({ size }: TurnPrompt): number => size?.tokens ?? 0;

/** What stands before the first question, and then each question with all that followed it. */
function exchangesOf(messages: readonly Message[]): { opening: Message[]; exchanges: Message[][] } {
  const opening: Message[] = [];
  const exchanges: Message[][] = [];
  for (const message of messages) {
    if (message.role === 'user') exchanges.push([message]);
    else (exchanges.at(-1) ?? opening).push(message);
  }
  return { opening, exchanges };
}

function tooLong(size: PromptSize, contextSize: number, toolCount: number): RawcallError {
  const bill = size.bill();
  const { tools, system, user, tool, assistant, template } = bill;
  const parts = [
    [tools, `the ${toolCount} tools`],
    [system, 'the system text'],
    [user, 'the question'],
    [tool, 'results'],
    [assistant, 'calls'],
    [template, "the template's own text"],
  ] as const;
  const listed = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} for ${what}`);
  const [largest, what] = parts.reduce((most, one) => (one[0] > most[0] ? one : most));
  const excess = size.tokens + smallestReply - contextSize;
  const fitting = Math.floor((toolCount * (tools - excess)) / tools);
  const remedy =
    largest === tools && fitting > 0
      ? `offer fewer of them (about ${fitting} of the ${toolCount} tools fit) or a shorter schema form`
      : `take ${excess} tokens out of ${what}`;
  return new RawcallError(
    'prompt_too_long',
    `The prompt has ${size.tokens} tokens and a reply needs ${smallestReply}, but the context holds ${contextSize}: ${listed.join(', ')}. Open the model with a contextSize of at least ${size.tokens + smallestReply}, or ${remedy}.`,
    { promptTokens: size.tokens, contextSize, bill },
  );
}
