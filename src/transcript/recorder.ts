/** Writes a transcript: each line whole and at once, as soon as it is known, so that whatever ends the process leaves it readable. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { jsonLine } from '../json.ts';
import { eventPacker } from './continued.ts';
import { heldBack } from './held-back.ts';
import { transcriptName } from './kept.ts';
import { partsLeftOut } from './parts.ts';
import { isUntouched, type Redactor, redactor } from './redact.ts';
import type { RecordedEvent, Timed, TranscriptHeader, TranscriptLine } from './transcript.ts';

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

type TimedEvent = RecordedEvent & Timed;

export function openRecorder(options: RecorderOptions): Recorder {
  const { secrets = [], redact = [], onFailure } = options;
  const shown = redactor(secrets, redact);
  const leaveOut = partsLeftOut();
  const pack = eventPacker();
  const hold = heldBack<TimedEvent>(shown, event => whole(event, shown));
  let descriptor: number | undefined;
  let file: string | undefined;
  let started = 0;
  let failed = false;

  function put(line: TranscriptLine): void {
    if (descriptor === undefined) return;
    try {
      writeWhole(descriptor, `${jsonOf(line)}\n`);
    } catch (error) {
      fail(error);
    }
  }

  /** Undefined asks for all that is held back. */
  function keep(event: TimedEvent | undefined): void {
    for (const one of hold(event)) put(pack(leaveOut(one)));
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
        file = options.file ?? path.join(options.folder ?? '.', transcriptName(now));
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        // Nobody else is to read what was said.
        descriptor = openSync(file, 'ax', 0o600);
      } catch (error) {
        return fail(error);
      }
      put(shown.value({ type: 'transcript', version: 2, startedAt: now.toISOString(), ...header }));
    },
    write(event) {
      if (failed || descriptor === undefined) return;
      const at = Math.round((performance.now() - started) * 10) / 10;
      keep({ ...event, at });
    },
    close() {
      keep(undefined);
      close();
    },
  };
}

function whole(event: TimedEvent, shown: Redactor): TimedEvent {
  const changed = shown.value(event);
  if (changed.type !== 'turn-start' || event.type !== 'turn-start') return changed;
  if (isUntouched(changed.prompt, event.prompt)) return changed;
  const { ids: _, ...rest } = changed;
  return rest;
}

/** Most lines hold no arguments of calls, and are written by what is fastest. */
const plain: ReadonlySet<TranscriptLine['type']> = new Set([
  ...(['text-delta', 'reasoning-delta', 'call-delta', 'completion-delta', 'completion-end'] as const),
  ...(['turn-start', 'measure', 'usage'] as const),
]);

function jsonOf(line: TranscriptLine): string {
  return plain.has(line.type) ? JSON.stringify(line) : jsonLine(line);
}

/** One write for a line, but where the system takes less. */
function writeWhole(descriptor: number, line: string): void {
  const bytes = Buffer.from(line);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
