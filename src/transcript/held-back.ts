/** Events as they may be written: what is to be blocked out may come in several of them. */
import type { Piece } from '../../parsers/parser.ts';
import type { Redactor } from './redact.ts';

type Delta =
  | { readonly type: 'call-delta'; readonly index: number; readonly argumentsText: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly text: string };

interface Part {
  readonly type: 'completion-delta';
  readonly pieces: readonly Piece[];
}

interface Typed {
  readonly type: string;
}

/**
 * Keeps deltas back while they may be the beginning of something that is to be blocked out. What has a pattern to it may begin
 * anywhere, so that with patterns a turn is written when it is whole.
 *
 * @param whole blocks out what one event says alone
 * @returns what can be written now; undefined asks for all that is kept
 */
export function heldBack<Event extends Typed>(
  shown: Redactor,
  whole: (event: Event) => Event,
): (event: Event | undefined) => readonly Event[] {
  if (!shown.active) return event => (event ? [event] : []);
  let kept: Event[] = [];
  const anywhere = shown.open('');
  const isOpen = (events: readonly Event[]) =>
    anywhere ||
    streams(events).some(({ texts }) => shown.open(texts.join(''))) ||
    shown.open(lastText(events.filter(isPart).flatMap(({ pieces }) => pieces)));
  return event => {
    if (event) kept.push(event);
    if (event && inTurn.has(event.type) && isOpen(kept)) return [];
    const ready = blockedOut(kept, shown, whole);
    kept = [];
    return ready;
  };
}

const inTurn: ReadonlySet<string> = new Set([
  ...['turn-start', 'text-delta', 'reasoning-delta', 'call-start', 'call-delta', 'call-end', 'call-failed'],
  ...['repaired', 'call-extended', 'guard', 'abort', 'completion-delta'],
]);

/** What stands behind the last control piece. */
function lastText(pieces: readonly Piece[]): string {
  const control = pieces.findLastIndex(piece => piece.control);
  return pieces
    .slice(control + 1)
    .map(({ text }) => text)
    .join('');
}

interface Stream {
  readonly places: number[];
  readonly texts: string[];
}

/** The texts that come in deltas, each with all of them. */
function streams(events: readonly Typed[]): readonly Stream[] {
  const found = new Map<string, Stream>();
  events.forEach((event, place) => {
    if (!isDelta(event)) return;
    const key = event.type === 'call-delta' ? `${event.type} ${event.index}` : event.type;
    const stream = found.get(key) ?? { places: [], texts: [] };
    found.set(key, stream);
    stream.places.push(place);
    stream.texts.push(event.type === 'call-delta' ? event.argumentsText : event.text);
  });
  return [...found.values()];
}

function blockedOut<Event extends Typed>(
  kept: readonly Event[],
  shown: Redactor,
  whole: (event: Event) => Event,
): readonly Event[] {
  // A completion's end has the pieces of its parts too, and what is to be blocked out may begin in one and end in the other.
  const ended = kept.some(({ type }) => type === 'completion-end');
  const events = ended ? kept.filter(event => !isPart(event)) : kept;
  const ready = events.map(event => (isDelta(event) || isPart(event) ? event : whole(event)));
  const pieces = shown.pieces(events.filter(isPart).flatMap(part => part.pieces));
  let at = 0;
  events.forEach((event, place) => {
    if (!isPart(event)) return;
    ready[place] = { ...event, pieces: pieces.slice(at, at + event.pieces.length) };
    at += event.pieces.length;
  });
  for (const { places, texts } of streams(events))
    shown.texts(texts).forEach((text, at) => {
      const place = places[at]!;
      const event = events[place]!;
      ready[place] = event.type === 'call-delta' ? { ...event, argumentsText: text } : { ...event, text };
    });
  return ready;
}

function isPart<Event extends Typed>(event: Event): event is Event & Part {
  return event.type === 'completion-delta';
}

function isDelta<Event extends Typed>(event: Event): event is Event & Delta {
  return event.type === 'call-delta' || event.type === 'text-delta' || event.type === 'reasoning-delta';
}
