/** A transcript run by run: as much of it is in memory as its longest run has. */
import { RawcallError } from '../../parsers/error.ts';
import type { AgentEvent } from '../agent/events.ts';
import type { TimedEvent, Transcript } from '../transcript/read-transcript.ts';

export type RunEvent = TimedEvent & { readonly line: number };

export interface RecordedRun {
  /** From 1. */
  readonly number: number;
  readonly start: Extract<RunEvent, { type: 'run-start' }>;
  /** All that followed, to the run's end where it has one. */
  readonly events: readonly RunEvent[];
  /** The dialogue was begun anew before this run. */
  readonly reset?: { readonly system?: string };
  /** How many turns the runs before it had. */
  readonly turnsBefore: number;
  /** False where whoever recorded it was ended. */
  readonly finished: boolean;
}

export async function* runsOf({ file, events }: Transcript): AsyncGenerator<RecordedRun, void> {
  let start: RecordedRun['start'] | undefined;
  let reset: RecordedRun['reset'];
  let body: RunEvent[] = [];
  let number = 0;
  let turnsBefore = 0;

  function run(finished: boolean): RecordedRun | undefined {
    if (!start) return undefined;
    const one = { number, start, events: body, ...(reset ? { reset } : {}), turnsBefore, finished };
    turnsBefore += body.filter(({ type }) => type === 'turn-start').length;
    start = undefined;
    reset = undefined;
    body = [];
    return one;
  }

  for await (const event of events) {
    if (event.type === 'run-start') {
      const cut = run(false);
      if (cut) yield cut;
      start = event;
      number++;
    } else if (event.type === 'reset') {
      const cut = run(false);
      if (cut) yield cut;
      reset = event;
    } else if (start) {
      body.push(event);
      if (event.type !== 'run-end' && event.type !== 'run-failed') continue;
      const whole = run(true);
      if (whole) yield whole;
    } else {
      throw new RawcallError(
        'bad_transcript',
        `${file}:${event.line}: "${event.type}" stands outside of a run.`,
        { file, line: event.line },
      );
    }
  }
  const cut = run(false);
  if (cut) yield cut;
}

const worldTypes = [
  ...(['measure', 'completion-delta', 'tools', 'offer', 'abort', 'turn-failed', 'reset'] as const),
] as const;
type WorldType = (typeof worldTypes)[number];

/** What a run told, or that it failed: all but what it was told. */
export type Told = Exclude<RunEvent, { type: WorldType }>;

export function isTold(event: RunEvent): event is Told {
  return !worldTypes.some(type => type === event.type);
}

export type Delta = Extract<AgentEvent, { type: 'text-delta' | 'reasoning-delta' | 'call-delta' }>;

export function isDelta<Event extends { readonly type: string }>(event: Event): event is Event & Delta {
  return event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'call-delta';
}
