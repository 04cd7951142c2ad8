/** A recorded run as what the loop goes by: what comes next, and what the world outside said before it. */
import type { World } from '../transcript/transcript.ts';
import { isDelta, isTold, type RecordedRun, type RunEvent, type Told } from './runs.ts';

type WorldOf<Type extends World['type']> = Extract<RunEvent, { type: Type }>;

/** The events of one turn behind its start. */
export interface RecordedTurn {
  readonly number: number;
  readonly events: readonly RunEvent[];
  readonly failed?: WorldOf<'turn-failed'>;
  /** The recording ends in it. */
  readonly cut: boolean;
}

export interface Script {
  /** The next that the run told, without its deltas. */
  readonly next: Told | undefined;
  /** Takes it, and gives it with the deltas before it. */
  take(): { readonly event: Told | undefined; readonly deltas: readonly RunEvent[] };
  /** What stands next, where it is of this type; undefined where the recording was not asked this. */
  answer<Type extends 'measure' | 'tools' | 'offer'>(
    type: Type,
    fits?: (event: WorldOf<Type>) => boolean,
  ): WorldOf<Type> | undefined;
  /** The turn that has begun. Undefined: the recording has no more. */
  turn(): RecordedTurn | undefined;
  /** Whether the recording ends in the turn that has begun. */
  readonly isCut: boolean;
  /** Aborts what was aborted before the next told event. */
  abortsBeforeNext(): void;
}

/** @param onAbort called once for each abort, at its place */
export function scriptOf(run: RecordedRun, onAbort: (by: WorldOf<'abort'>['by']) => void): Script {
  const { events } = run;
  let at = 0;
  let turns = run.turnsBefore;
  let isCut = false;
  const fired = new Set<RunEvent>();

  function fire(event: RunEvent): void {
    if (event.type !== 'abort' || fired.has(event)) return;
    fired.add(event);
    onAbort(event.by);
  }

  const toldAt = (from: number) => findFrom(from, isTold);
  const nextAt = (from: number) => findFrom(from, event => isTold(event) && !isDelta(event));

  function findFrom(from: number, fits: (event: RunEvent) => boolean): number {
    for (let index = from; index < events.length; index++) if (fits(events[index]!)) return index;
    return -1;
  }

  return {
    get next() {
      return events[nextAt(at)] as Told | undefined;
    },
    take() {
      const found = nextAt(at);
      const end = found === -1 ? events.length : found;
      const deltas = events.slice(at, end).filter(isDelta);
      at = end + 1;
      return { event: events[end] as Told | undefined, deltas };
    },
    answer(type, fits = () => true) {
      while (isNoAnswer(events[at])) at++;
      const event = events[at];
      if (event?.type !== type || !fits(event as WorldOf<typeof type>)) return undefined;
      at++;
      return event as WorldOf<typeof type>;
    },
    turn() {
      // Its start was not taken yet: whoever asks for the turn is about to tell it.
      const start = toldAt(at);
      if (start === -1 || events[start]?.type !== 'turn-start') return undefined;
      const end = endOfTurn(events, start + 1);
      const inTurn = events.slice(start + 1, end);
      for (const event of events.slice(at, end)) fire(event);
      turns++;
      const failed = inTurn.find(event => event.type === 'turn-failed');
      isCut = !run.finished && !failed && !inTurn.some(({ type }) => type === 'completion-end');
      return { number: turns, events: inTurn, ...(failed ? { failed } : {}), cut: isCut };
    },
    get isCut() {
      return isCut;
    },
    abortsBeforeNext() {
      const found = toldAt(at);
      for (const event of events.slice(at, found === -1 ? events.length : found)) fire(event);
    },
  };
}

/** What may stand between a question of the loop's and what it was told, and is neither. */
function isNoAnswer(event: RunEvent | undefined): boolean {
  return event?.type === 'abort' || event?.type === 'turn-failed' || event?.type === 'completion-delta';
}

/** A turn ends with as many usages as it had generations, or where it failed, or where the recording does. */
function endOfTurn(events: readonly RunEvent[], start: number): number {
  let generations = 1;
  for (let at = start; at < events.length; at++) {
    const { type } = events[at]!;
    if (type === 'call-extended') generations++;
    if (type === 'usage' && --generations === 0) return at + 1;
    if (type === 'turn-failed') return at + 1;
    if (type === 'run-end' || type === 'run-failed' || type === 'turn-start') return at;
  }
  return events.length;
}
