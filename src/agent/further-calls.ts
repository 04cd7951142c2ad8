/**
 * Small models end a turn with its first call, also where the question asks for several. Had to write on, as if the turn had not
 * ended, they write the next call where there is one to make, and else words or the same call again (docs/small-models.md).
 * Nothing of that is told but calls that count: those that are new, with a new value or another tool that the question names.
 */
import type { JsonValue, Piece, ToolCall } from '../../parsers/parser.ts';
import type { TurnResult } from '../model/model.ts';
import type { AgentEvent } from './events.ts';
import { callKey } from './results.ts';

/** One turn has so many calls at most that came of writing on: as many as a reply of any sense. */
export const maxFurtherCalls = 16;

/** What stands between a reply that had ended and what is written on. */
export const writtenOn: Piece = { text: '\n' };

/** Whether a turn is calls and nothing else, all of them good. */
export function isCallsOnly({ message, calls, failed, reason }: TurnResult): boolean {
  return reason === 'stop' && calls.length > 0 && failed.length === 0 && message.content === '';
}

/**
 * A turn that writes on: what it reads as is told if it is further calls and nothing else. As soon as it shows to be something else it is
 * stopped, and undefined is given.
 */
export async function* furtherTurn<Turn extends TurnResult>(
  events: AsyncGenerator<AgentEvent, Turn>,
  made: readonly ToolCall[],
  question: string,
  stop: () => void,
): AsyncGenerator<AgentEvent, Turn | undefined> {
  const known = [...made];
  let read: AgentEvent[] = [];
  let refused = false;
  for (;;) {
    const step = await events.next();
    if (step.done) return !refused && isCallsOnly(step.value) ? step.value : undefined;
    const event = step.value;
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        if (event.text.trim() !== '') refuse();
        break;
      case 'call-failed':
        refuse();
        break;
      case 'call-end':
        if (isFurther(event.call, known, question)) known.push(event.call);
        else refuse();
        read.push(event);
        break;
      case 'call-start':
      case 'call-delta':
      case 'repaired':
        read.push(event);
        break;
      case 'completion-end':
        if (event.reason !== 'stop') refuse();
        if (!refused) yield* read;
        yield event;
        break;
      default:
        yield event;
    }
  }

  function refuse(): void {
    refused = true;
    read = [];
    stop();
  }
}

/** Both as one turn, its reply as it was written. */
export function joined<Turn extends TurnResult>(first: Turn, further: Turn): Turn {
  const { message: begun } = first;
  const { message: rest } = further;
  return {
    ...further,
    message: {
      ...begun,
      toolCalls: [...(begun.toolCalls ?? []), ...(rest.toolCalls ?? [])],
      ...(begun.completion && rest.completion
        ? { completion: [...begun.completion, writtenOn, ...rest.completion] }
        : {}),
    },
    calls: [...first.calls, ...further.calls],
  };
}

/**
 * A model that writes on because it must invents values, or tries the same ones with one tool after another. What it was asked for stands
 * in the question: a new value, or another tool's name beside values that it has already used.
 */
export function isFurther(call: ToolCall, made: readonly ToolCall[], question: string): boolean {
  if (made.some(one => callKey(one) === callKey(call))) return false;
  const asked = new Set(wordsOf(question.toLowerCase().replace(/(?<=\d),(?=\d{3})/g, '')));
  const before = new Set(made.flatMap(valuesOf));
  const values = valuesOf(call).filter(value => standsIn(value, asked));
  return values.some(value => !before.has(value)) || (values.length > 0 && isNamed(call, made, asked));
}

/** Whether a word of its tool's name stands in the question that is in no name of the tools called before. */
function isNamed({ name }: ToolCall, made: readonly ToolCall[], asked: ReadonlySet<string>): boolean {
  const before = new Set(made.flatMap(one => nameWords(one.name)));
  return nameWords(name).some(word => asked.has(word) && !before.has(word));
}

const nameWords = (name: string): string[] =>
  wordsOf(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').toLowerCase());

function valuesOf({ arguments: args }: ToolCall): string[] {
  return scalars(args).map(value => value.toLowerCase().trim());
}

function scalars(value: JsonValue): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalars) : [];
}

/** Each of its words does, whole: "Paris, France" where Paris and France are spoken of, and 5 but not in 15. */
function standsIn(value: string, spoken: ReadonlySet<string>): boolean {
  const words = wordsOf(value);
  return words.length > 0 && words.every(word => spoken.has(word));
}

const wordsOf = (text: string): string[] => text.match(/\d+(?:\.\d+)?|[\p{L}\p{M}]+/gu) ?? [];
