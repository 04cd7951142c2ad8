/**
 * A completion reaches the file while it is written, in parts, so that whatever ends the process leaves what there is of it. When it
 * is read, it is one completion again.
 */
import type { Piece } from '../../parsers/parser.ts';
import type { RecordedEvent, Timed } from './transcript.ts';

type TimedEvent = RecordedEvent & Timed;
/** `line`: where it stands. */
type PlacedEvent = TimedEvent & { readonly line: number };
type Part = Extract<PlacedEvent, { readonly type: 'completion-delta' }>;

/** In milliseconds: what comes in so much time is one part. */
const pause = 100;

export interface PartGatherer {
  /** A completion begins, or is at its end: what is gathered comes with it. */
  begin(): void;
  add(piece: Piece): void;
  /** Writes what is gathered, of a completion that has no end. */
  flush(): void;
}

/**
 * Gathers pieces, which come one by one, into parts. A part waits for the piece behind it, by when all that was read in it is
 * told: pieces are never ahead of the other lines.
 */
export function partGatherer(write: (pieces: readonly Piece[]) => void): PartGatherer {
  let pieces: Piece[] = [];
  let last = 0;

  function begin(): void {
    pieces = [];
    last = performance.now();
  }

  function flush(): void {
    if (pieces.length > 0) write(pieces);
    begin();
  }

  return {
    begin,
    flush,
    add(piece) {
      if (pieces.length > 0 && performance.now() - last >= pause) flush();
      pieces.push(piece);
    },
  };
}

/** Leaves out of each completion's end what was written in parts. */
export function partsLeftOut(): (event: TimedEvent) => TimedEvent {
  let written = 0;
  return event => {
    if (event.type === 'turn-start') written = 0;
    if (event.type === 'completion-delta') written += event.pieces.length;
    return event.type === 'completion-end' ? { ...event, pieces: event.pieces.slice(written) } : event;
  };
}

/**
 * Gives each completion's end all of it. What there is of a completion without an end comes as one part, behind all that was read in it.
 *
 * @returns what can be told; undefined asks for all that is left
 */
export function partJoiner(): (event: PlacedEvent | undefined) => readonly PlacedEvent[] {
  let last: Part | undefined;
  let pieces: Piece[] = [];

  function joined(): readonly Piece[] {
    const all = pieces;
    last = undefined;
    pieces = [];
    return all;
  }

  function cut(): readonly PlacedEvent[] {
    return last ? [{ ...last, pieces: joined() }] : [];
  }

  return event => {
    if (!event) return cut();
    switch (event.type) {
      case 'completion-delta':
        last = event;
        for (const piece of event.pieces) pieces.push(piece);
        return [];
      case 'completion-end':
        return [{ ...event, pieces: [...joined(), ...event.pieces] }];
      case 'turn-start':
      case 'turn-failed':
      case 'run-start':
      case 'run-end':
      case 'run-failed':
      case 'reset':
        return [...cut(), event];
      default:
        return [event];
    }
  };
}
