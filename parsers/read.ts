/** Reads a whole completion at once: what a parser's events come to. */
import type { ParseEvent, Parser, Piece, ReadingContext, StopReason, ToolCall } from './parser.ts';
import type { Repair } from './repairs.ts';

export type CallFailed = Extract<ParseEvent, { type: 'call-failed' }>;
export type Repaired = Extract<ParseEvent, { type: 'repaired' }>;

export interface Completion {
  readonly calls: readonly ToolCall[];
  readonly content: string;
  readonly reasoning: string;
  readonly problems: readonly CallFailed[];
  /** The names of the repairs, each once. */
  readonly repairs: readonly Repair[];
  readonly events: readonly ParseEvent[];
}

export function readCompletion(
  parser: Parser,
  pieces: string | readonly Piece[],
  context: ReadingContext = {},
  reason: StopReason = 'stop',
): Completion {
  const reading = parser.start(context);
  const events: ParseEvent[] = [];
  for (const piece of typeof pieces === 'string' ? [{ text: pieces }] : pieces)
    events.push(...reading.push(piece));
  events.push(...reading.end(reason));
  return collect(events);
}

/** What a list of events comes to. */
export function collect(events: readonly ParseEvent[]): Completion {
  const of = <Type extends ParseEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<ParseEvent, { type: Type }> => event.type === type);
  const text = (type: 'text-delta' | 'reasoning-delta') =>
    of(type).reduce((all, event) => all + event.text, '');
  return {
    calls: of('call-end').map(event => event.call),
    content: text('text-delta'),
    reasoning: text('reasoning-delta'),
    problems: of('call-failed'),
    repairs: [...new Set(of('repaired').map(event => event.repair))],
    events,
  };
}
