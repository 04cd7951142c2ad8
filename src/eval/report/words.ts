/** Figures in words, the same in all reports. */
import type { Rate } from '../metrics.ts';

/** `91.7 %`; of all and of none without a decimal. */
export function percentText(share: number): string {
  const percent = (share * 100).toFixed(1);
  return `${percent === '100.0' || percent === '0.0' ? Number(percent) : percent} %`;
}

export function shareText({ right, of }: Rate): string {
  return `${right} of ${of}`;
}

/** `640 ms`, `2.4 s`, `3 min 6 s` */
export function timeText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${Number((milliseconds / 1000).toPrecision(3))} s`;
  const seconds = Math.round(milliseconds / 1000);
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
}

export function countText(count: number): string {
  return Math.round(count).toLocaleString('en');
}

/** `trailing-comma 2, bare-call 1` */
export function namesText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
