/** Events as they may be written: what is to be blocked out may come in several of them. */
import type { Redactor } from './redact.ts';

type Delta =
  | { readonly type: 'call-delta'; readonly index: number; readonly argumentsText: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly text: string };

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
    anywhere || streams(events).some(({ texts }) => shown.open(texts.join('')));
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
  ...['repaired', 'call-extended', 'guard', 'abort'],
]);

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
  events: readonly Event[],
  shown: Redactor,
  whole: (event: Event) => Event,
): readonly Event[] {
  const ready = events.map(event => (isDelta(event) ? event : whole(event)));
  for (const { places, texts } of streams(events))
    shown.texts(texts).forEach((text, at) => {
      const place = places[at]!;
      const event = events[place]!;
      ready[place] = event.type === 'call-delta' ? { ...event, argumentsText: text } : { ...event, text };
    });
  return ready;
}

function isDelta<Event extends Typed>(event: Event): event is Event & Delta {
  return event.type === 'call-delta' || event.type === 'text-delta' || event.type === 'reasoning-delta';
}
