/** Where a replay first goes another way than the recording. */
import type { Piece } from '../../parsers/parser.ts';
import type { Prompt } from '../../templates/template.ts';
import type { AgentEvent } from '../agent/events.ts';
import { isDelta, type Told } from './runs.ts';

export interface Difference {
  /** Of the transcript's turns, from 1; 0 before the first one. */
  readonly turn: number;
  /** Of the transcript, where what was recorded stands. */
  readonly line: number | undefined;
  /** Undefined: nothing more was recorded. */
  readonly recorded: Told | undefined;
  /** Undefined: nothing more comes. */
  readonly now: AgentEvent | Ended | undefined;
  /** The texts that came before it, where it is they that differ. */
  readonly texts?: { readonly recorded: readonly string[]; readonly now: readonly string[] };
  /** The raw completion that is read, where there is one. */
  readonly completion?: readonly Piece[];
}

/** A run that ends with an error. */
export interface Ended {
  readonly type: 'run-failed';
  readonly code: string;
  readonly message: string;
}

/** What need not agree where a part of the world is the real one. */
export interface Loose {
  readonly model: boolean;
  readonly tools: boolean;
}

/** Whether two of them say the same. A prompt is compared by its words and control tokens, whatever its ids. */
export function same(recorded: Told | undefined, now: AgentEvent | Ended | undefined, loose: Loose): boolean {
  if (recorded?.type !== now?.type) return false;
  if (!recorded || !now) return true;
  if (recorded.type === 'turn-start' && now.type === 'turn-start')
    return recorded.purpose === now.purpose && equal(words(recorded.prompt), words(now.prompt));
  if (recorded.type === 'run-start' && now.type === 'run-start')
    return recorded.question === now.question && equal(recorded.policy, now.policy);
  if (recorded.type === 'run-failed' && now.type === 'run-failed') return recorded.code === now.code;
  if (loose.model && (recorded.type === 'usage' || recorded.type === 'tools-changed')) return true;
  const { at: _, line: __, ...told } = recorded;
  if (loose.model && told.type === 'completion-end' && now.type === 'completion-end')
    return told.reason === now.reason && textOf(told.pieces) === textOf(now.pieces);
  return equal(told, now);
}

/** Joined, because where a text is cut into deltas means nothing. */
export function joined(events: readonly { readonly type: string }[]): readonly string[] {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (!isDelta(event)) continue;
    const [key, text] =
      event.type === 'call-delta'
        ? [`arguments of call ${event.index}: `, event.argumentsText]
        : [event.type === 'text-delta' ? 'text: ' : 'thought: ', event.text];
    texts.set(key, (texts.get(key) ?? '') + text);
  }
  return [...texts].map(([key, text]) => key + text);
}

const textOf = (pieces: readonly { readonly text: string }[]) => pieces.map(({ text }) => text).join('');

/** Neighbouring texts of one origin as one. */
export function words(prompt: Prompt): Prompt {
  const merged: Prompt[number][] = [];
  for (const piece of prompt) {
    const last = merged.at(-1);
    if ('control' in piece) merged.push({ control: piece.control });
    else if (last && 'text' in last && last.origin === piece.origin)
      merged[merged.length - 1] = { text: last.text + piece.text, origin: last.origin };
    else merged.push({ text: piece.text, origin: piece.origin });
  }
  return merged;
}

export function equal(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (Array.isArray(left))
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((one, index) => equal(one, right[index]))
    );
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  const entries = Object.entries(left).filter(([, value]) => value !== undefined);
  const others = Object.entries(right).filter(([, value]) => value !== undefined);
  return (
    entries.length === others.length &&
    entries.every(([key, value]) => equal(value, (right as Readonly<Record<string, unknown>>)[key]))
  );
}
