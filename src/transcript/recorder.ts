/** Writes a transcript: each line whole and at once, as soon as it is known, so that whatever ends the process leaves it readable. */
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { jsonLine } from '../json.ts';
import { eventPacker } from './continued.ts';
import { type Redactor, redactor } from './redact.ts';
import type { RecordedEvent, Timed, TranscriptHeader } from './transcript.ts';

export interface RecorderOptions {
  /** A file that is not there yet, or a folder in which each transcript gets a name of its own. */
  readonly file?: string;
  readonly folder?: string;
  /** Values that must not get in, such as those of headers. */
  readonly secrets?: readonly string[];
  readonly redact?: readonly RegExp[];
  /** Recording ended because nothing can be written any more; the run goes on. */
  readonly onFailure?: (message: string) => void;
}

export interface Recorder {
  /** Where it is written to; undefined before the first line. */
  readonly file: string | undefined;
  /** True once the header is written. */
  readonly begun: boolean;
  begin(header: Omit<TranscriptHeader, 'type' | 'version' | 'startedAt'>): void;
  write(event: RecordedEvent): void;
  close(): void;
}

export function openRecorder(options: RecorderOptions): Recorder {
  const { secrets = [], redact = [], onFailure } = options;
  const shown = redactor(secrets, redact);
  const pack = eventPacker();
  const hold = holder(shown);
  let descriptor: number | undefined;
  let file: string | undefined;
  let started = 0;
  let failed = false;

  function put(line: object): void {
    if (descriptor === undefined) return;
    try {
      writeWhole(descriptor, `${jsonLine(line)}\n`);
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    failed = true;
    close();
    const why = error instanceof Error ? error.message : String(error);
    onFailure?.(`${file ?? options.file ?? options.folder}: the run is not recorded any further: ${why}`);
  }

  function close(): void {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  }

  return {
    get file() {
      return file;
    },
    get begun() {
      return file !== undefined || failed;
    },
    begin(header) {
      const now = new Date();
      started = performance.now();
      try {
        file = options.file ?? path.join(options.folder ?? '.', fileName(now));
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        // Nobody else is to read what was said.
        descriptor = openSync(file, 'ax', 0o600);
      } catch (error) {
        return fail(error);
      }
      put(shown.value({ type: 'transcript', version: 1, startedAt: now.toISOString(), ...header }));
    },
    write(event) {
      if (failed || descriptor === undefined) return;
      const at = Math.round((performance.now() - started) * 10) / 10;
      for (const one of hold({ ...event, at })) put(pack(one));
    },
    close() {
      if (descriptor !== undefined) for (const one of hold(undefined)) put(pack(one));
      close();
    },
  };
}

type TimedEvent = RecordedEvent & Timed;

/**
 * Keeps deltas back while they may be the beginning of something that is to be blocked out. What has a pattern to it may begin
 * anywhere, so that with patterns a turn is written when it is whole.
 *
 * @returns what can be written now; undefined asks for all that is kept
 */
function holder(shown: Redactor): (event: TimedEvent | undefined) => readonly TimedEvent[] {
  if (!shown.active) return event => (event ? [event] : []);
  let kept: TimedEvent[] = [];
  const anywhere = shown.open('');
  const isOpen = (events: readonly TimedEvent[]) =>
    anywhere || streams(events).some(({ texts }) => shown.open(texts.join('')));
  return event => {
    if (event) kept.push(event);
    if (event && inTurn.has(event.type) && isOpen(kept)) return [];
    const ready = blockedOut(kept, shown);
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
function streams(events: readonly TimedEvent[]): readonly Stream[] {
  const found = new Map<string, Stream>();
  events.forEach((event, place) => {
    const text = deltaOf(event);
    if (text === undefined) return;
    const key = event.type === 'call-delta' ? `${event.type} ${event.index}` : event.type;
    const stream = found.get(key) ?? { places: [], texts: [] };
    found.set(key, stream);
    stream.places.push(place);
    stream.texts.push(text);
  });
  return [...found.values()];
}

function blockedOut(events: readonly TimedEvent[], shown: Redactor): readonly TimedEvent[] {
  const ready = events.map(event => (deltaOf(event) === undefined ? whole(event, shown) : event));
  for (const { places, texts } of streams(events))
    shown.texts(texts).forEach((text, at) => {
      const place = places[at]!;
      const event = events[place]!;
      if (event.type === 'call-delta') ready[place] = { ...event, argumentsText: text };
      else if (event.type === 'text-delta' || event.type === 'reasoning-delta')
        ready[place] = { ...event, text };
    });
  return ready;
}

function whole(event: TimedEvent, shown: Redactor): TimedEvent {
  const changed = shown.value(event);
  if (changed.type !== 'turn-start' || event.type !== 'turn-start') return changed;
  if (changed.prompt.every((piece, at) => piece === event.prompt[at])) return changed;
  // They would say what was blocked out.
  const { ids: _, ...rest } = changed;
  return rest;
}

function deltaOf(event: TimedEvent): string | undefined {
  if (event.type === 'call-delta') return event.argumentsText;
  return event.type === 'text-delta' || event.type === 'reasoning-delta' ? event.text : undefined;
}

/** One write for a line, but where the system takes less. */
function writeWhole(descriptor: number, line: string): void {
  const bytes = Buffer.from(line);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** `20261130-155016-3f2a.jsonl`: in the order of time, and two of one second apart. */
function fileName(now: Date): string {
  const [day = '', time = ''] = now.toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomBytes(2).toString('hex')}.jsonl`;
}
