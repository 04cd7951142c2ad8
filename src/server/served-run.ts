/**
 * A run for a client that asked for one reply: its turns one after another as if they were one, the calls that ran here told
 * apart from those that are the client's to run.
 */
import type { ParseEvent, ToolCall } from '../../parsers/parser.ts';
import type { AgentEvent, RunResult } from '../agent/events.ts';
import type { AnswerTurn } from '../agent/policy.ts';
import type { TurnEvent } from '../model/model.ts';
import type { Offer, ServerTools } from './server-tools.ts';

/** Of a turn, and of the run that it is part of where tools run here. `server`: whose tool it is. */
export type ServedEvent =
  | TurnEvent
  | (Exclude<AgentEvent, TurnEvent | { type: 'run-start' }> & { readonly server?: string });

/** What the client gets to see of a run. */
export interface Seen {
  readonly content: string;
  /** Those that are the client's to run, by the names that the model wrote. */
  readonly calls: readonly ToolCall[];
}

export interface ServedRunOptions {
  readonly offer: Pick<Offer, 'handBack' | 'toClient'>;
  readonly answerTurn: AnswerTurn;
  readonly origin: ServerTools['origin'];
}

export async function* servedRun(
  events: AsyncGenerator<AgentEvent, RunResult>,
  { offer, answerTurn, origin }: ServedRunOptions,
): AsyncGenerator<ServedEvent, Seen> {
  let content = '';
  /** Of this turn. */
  let said = '';
  const calls: ToolCall[] = [];
  /** Calls of this turn that the client hears of. */
  let theirs = new Set<number>();
  let results = false;
  let muted = false;

  function* say(text: string): Generator<ServedEvent> {
    const fresh = said === '' && content !== '' ? text.trimStart() : text;
    if (fresh === '') return;
    if (said === '' && content !== '') yield { type: 'text-delta', text: '\n\n' };
    content += said === '' && content !== '' ? `\n\n${fresh}` : fresh;
    said += fresh;
    yield { type: 'text-delta', text: fresh };
  }

  function isTheirs(event: ParseEvent & { index: number }): boolean {
    if (event.type === 'call-start' || (event.type === 'call-failed' && event.name !== undefined))
      if (offer.handBack(event.name ?? '')) theirs.add(event.index);
    // A problem of the turn is of no call.
    return event.index < 0 || theirs.has(event.index);
  }

  function* step(event: AgentEvent): Generator<ServedEvent> {
    switch (event.type) {
      case 'run-start':
        return;
      case 'turn-start':
        said = '';
        theirs = new Set();
        // With results there, an answer turn writes the answer; what a decision says meanwhile is none.
        muted = event.purpose === 'decision' && answerTurn !== 'with-schema' && results;
        yield event;
        return;
      case 'text-delta':
        if (!muted) yield* say(event.text);
        return;
      case 'token-logprobs':
        if (!muted) yield event;
        return;
      case 'call-start':
      case 'call-delta':
      case 'call-end':
      case 'call-failed':
      case 'repaired':
        if (!isTheirs(event)) return;
        if (event.type === 'call-end') calls.push(event.call);
        yield asGiven(event, offer.toClient);
        return;
      case 'run-end':
        // Where no answer came, what stands in for one was not written by the model.
        if (event.reason !== 'calls' && event.answer.trim() !== said.trim()) yield* say(event.answer);
        yield event;
        return;
      case 'approval-end':
      case 'tool-start':
      case 'tool-progress':
      case 'tool-end': {
        if (event.type === 'tool-end') results = true;
        const server = origin(event.call.name)?.server;
        yield server === undefined ? event : { ...event, server };
        return;
      }
      default:
        yield event;
    }
  }

  try {
    for (;;) {
      const next = await events.next();
      if (next.done) return { content: content.trim(), calls };
      yield* step(next.value);
    }
  } finally {
    // Where nobody wants the rest, the run ends with it.
    await events.return(undefined as never);
  }
}

/** With the names that the client gave its tools. */
export function asGiven<Event extends TurnEvent>(event: Event, rename: (name: string) => string): TurnEvent {
  const told = event as ParseEvent;
  if (told.type === 'call-start') return { ...told, name: rename(told.name) };
  if (told.type === 'call-end') return { ...told, call: { ...told.call, name: rename(told.call.name) } };
  if (told.type === 'call-failed' && told.name !== undefined) return { ...told, name: rename(told.name) };
  return event;
}
