/** What a parser's events come to: collected as they come, or of a whole completion at once. */
import type { ParseEvent, Parser, Piece, ReadingContext, StopReason, ToolCall } from './parser.ts';
import type { Repair } from './repairs.ts';

type Event<Type extends ParseEvent['type']> = Extract<ParseEvent, { type: Type }>;
export type CallFailed = Event<'call-failed'>;
export type Repaired = Event<'repaired'>;

export interface Collected {
  readonly content: string;
  readonly reasoning: string;
  readonly ended: readonly Event<'call-end'>[];
  readonly problems: readonly CallFailed[];
  readonly repaired: readonly Repaired[];
}

export const parseEventTypes = [
  ...(['text-delta', 'reasoning-delta', 'call-start', 'call-delta', 'call-end'] as const),
  ...(['call-failed', 'repaired'] as const),
] as const satisfies readonly ParseEvent['type'][];

/** Whether an event, of a turn or of a run, is a parser's. */
export function isParseEvent<Other extends { readonly type: string }>(
  event: Other,
): event is Extract<Other, { readonly type: ParseEvent['type'] }> {
  return parseEventTypes.some(type => type === event.type);
}

export interface Collector {
  add(events: readonly ParseEvent[]): void;
  readonly collected: Collected;
}

export function createCollector(): Collector {
  let content = '';
  let reasoning = '';
  const ended: Event<'call-end'>[] = [];
  const problems: CallFailed[] = [];
  const repaired: Repaired[] = [];
  return {
    add(events) {
      for (const event of events) {
        if (event.type === 'text-delta') content += event.text;
        else if (event.type === 'reasoning-delta') reasoning += event.text;
        else if (event.type === 'call-end') ended.push(event);
        else if (event.type === 'call-failed') problems.push(event);
        else if (event.type === 'repaired') repaired.push(event);
      }
    },
    get collected() {
      return { content, reasoning, ended, problems, repaired };
    },
  };
}

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
  const collector = createCollector();
  collector.add(events);
  const { content, reasoning, ended, problems, repaired } = collector.collected;
  return {
    calls: ended.map(event => event.call),
    content,
    reasoning,
    problems,
    repairs: [...new Set(repaired.map(event => event.repair))],
    events,
  };
}
