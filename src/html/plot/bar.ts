/** A bar of several parts, on a line from 0 to the largest of its table. */
import { html, type Markup } from '../markup.ts';
import { axis, gridLines } from './rate.ts';
import { percent, ticks } from './scale.ts';

export interface BarPart {
  readonly value: number;
  readonly series: number;
}

/** What the bars of one table are drawn to. */
export interface BarScale {
  readonly bar: (parts: readonly BarPart[]) => Markup;
  readonly axis: Markup;
}

/** @param label of a place on the line, such as `2,000` or `1.5 s` */
export function barScale(max: number, label: (value: number) => string): BarScale {
  const marks = ticks(max);
  const end = marks.at(-1) ?? 1;
  const shares = marks.map(mark => mark / end);
  return {
    axis: axis(marks.map((mark, at) => [shares[at] ?? 0, label(mark)])),
    bar(parts) {
      let from = 0;
      const rects = parts.map(({ value, series }) => {
        const rect = html`<rect class="bar series-${series}" x="${percent(from / end)}" width="${percent(value / end)}" y="50%" height="14" transform="translate(0 -7)"/>`;
        from += value;
        return value > 0 && rect;
      });
      return html`<svg class="plot" width="100%" aria-hidden="true">${gridLines(shares)}${rects}</svg>`;
    },
  };
}

/** What the parts of the bars are. */
export function legend(names: readonly (readonly [name: string, series: number])[]): Markup {
  return html`<ul class="legend">${names.map(
    ([name, series]) =>
      html`<li><svg width="14" height="14" aria-hidden="true"><rect class="bar series-${series}" width="14" height="14" rx="3"/></svg>${name}</li>`,
  )}</ul>`;
}
