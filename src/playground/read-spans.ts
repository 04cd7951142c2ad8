/** Where what was read of a completion stands in it. */
import type { ParseEvent, Piece, Span } from '../../parsers/parser.ts';
import type { ReadSpan } from './protocol.ts';

/**
 * Calls, problems and repairs are told with their places; texts and thoughts are found again.
 *
 * @param events a parser's, of the whole completion, in their order
 */
export function readSpans(pieces: readonly Piece[], events: readonly ParseEvent[]): ReadSpan[] {
  const place = placer(pieces, events);
  return runs(events)
    .flatMap(event => spansOf(event, place))
    .sort(outerFirst);
}

function outerFirst(left: ReadSpan, right: ReadSpan): number {
  const repairLast = Number(left.kind === 'repair') - Number(right.kind === 'repair');
  return left.span.start - right.span.start || right.span.end - left.span.end || repairLast;
}

function spansOf(event: ParseEvent, place: (text: string) => Span[]): ReadSpan[] {
  switch (event.type) {
    case 'text-delta':
      return place(event.text).map(span => ({ kind: 'text', span }));
    case 'reasoning-delta':
      return place(event.text).map(span => ({ kind: 'reasoning', span }));
    case 'call-end':
      return [{ kind: 'call', index: event.index, call: event.call, span: event.span }];
    case 'call-failed': {
      const { index, problem, name, message, span } = event;
      return [{ kind: 'problem', index, problem, ...(name === undefined ? {} : { name }), message, span }];
    }
    case 'repaired':
      return [{ kind: 'repair', index: event.index, repair: event.repair, span: event.span }];
    default:
      return [];
  }
}

/** The events without what a call's end says again; deltas of one text that follow each other are one. */
function runs(events: readonly ParseEvent[]): ParseEvent[] {
  const out: ParseEvent[] = [];
  let parts: string[] = [];
  for (const event of events) {
    if (event.type === 'call-start' || event.type === 'call-delta') continue;
    const last = out.at(-1);
    if ('text' in event && last?.type === event.type) {
      parts.push(event.text);
      continue;
    }
    close();
    out.push(event);
    if ('text' in event) parts = [event.text];
  }
  close();
  return out;

  function close(): void {
    const last = out.at(-1);
    if (last && 'text' in last) out[out.length - 1] = { ...last, text: parts.join('') };
  }
}

/** In place of a character in which no text is looked for. */
const taken = '\0';

/**
 * Texts come in the order in which they stand, outside of calls, problems, what was left out, and control tokens. So each is looked
 * for behind the one before it: whole, or else its longest beginning, and then the rest.
 */
function placer(pieces: readonly Piece[], events: readonly ParseEvent[]): (text: string) => Span[] {
  const free = outside(pieces, events);
  let from = 0;
  return text => {
    const spans: Span[] = [];
    for (let at = 0; at < text.length; ) {
      const span = longestBeginning(text.slice(at), free, from);
      // It does not stand there as it was read.
      if (!span) return spans;
      spans.push(span);
      from = span.end;
      at += span.end - span.start;
    }
    return spans;
  };
}

function outside(pieces: readonly Piece[], events: readonly ParseEvent[]): string {
  const characters = pieces
    .map(({ text, control }) => (control ? taken.repeat(text.length) : text))
    .join('')
    .split('');
  for (const event of events) {
    const covers =
      event.type === 'call-end' ||
      event.type === 'call-failed' ||
      (event.type === 'repaired' && event.index < 0);
    if (covers) characters.fill(taken, event.span.start, event.span.end);
  }
  return characters.join('');
}

/** Each beginning of a beginning that is there is there too, so that halving finds the longest. */
function longestBeginning(text: string, within: string, from: number): Span | undefined {
  const whole = within.indexOf(text, from);
  if (whole !== -1) return { start: whole, end: whole + text.length };
  let span: Span | undefined;
  let [found, missing] = [0, text.length];
  while (missing - found > 1) {
    const length = (found + missing) >> 1;
    const start = within.indexOf(text.slice(0, length), from);
    if (start === -1) missing = length;
    else {
      span = { start, end: start + length };
      found = length;
    }
  }
  return span;
}
