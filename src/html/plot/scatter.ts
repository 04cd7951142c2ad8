/** Points in a plane, each with a name; lines through a point say how sure its height is. */
import { html, type Markup } from '../markup.ts';
import { percent, ticks } from './scale.ts';

export interface ScatterPoint {
  /** In or beside its dot: a number of a list, say. */
  readonly name: string;
  /** What it is in full. */
  readonly title: string;
  readonly series: number;
  readonly x: number;
  /** From 0 to 1, as `low` and `high` are. */
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

export interface ScatterWords {
  /** What the picture shows, read in its place. */
  readonly label: string;
  readonly x: string;
  readonly y: string;
  readonly xTick: (value: number) => string;
}

const heights = [0, 0.25, 0.5, 0.75, 1];

export function scatter(points: readonly ScatterPoint[], words: ScatterWords): Markup {
  const marks = ticks(Math.max(...points.map(({ x }) => x)), 5);
  const end = marks.at(-1) ?? 1;
  return html`<figure class="scatter"><div class="axis-name">${words.y}</div>
<svg class="plot" width="100%" height="320" role="img" aria-label="${words.label}">
${heights.map(
  y =>
    html`<line class="grid" x1="0" x2="100%" y1="${percent(1 - y)}" y2="${percent(1 - y)}"/><text class="tick" x="-10" y="${percent(1 - y)}" dy="4" text-anchor="end">${y * 100}${y === 1 && ' %'}</text>`,
)}
${marks.map(
  (mark, at) =>
    html`<line class="grid" x1="${percent(mark / end)}" x2="${percent(mark / end)}" y1="0" y2="100%"/><text class="tick ${at % 2 === 1 && 'between'}" x="${percent(mark / end)}" y="100%" dy="18" text-anchor="middle">${words.xTick(mark)}</text>`,
)}
${points.map(({ x, low, high, series }) => html`<line class="spread thin series-${series}" x1="${percent(x / end)}" x2="${percent(x / end)}" y1="${percent(1 - low)}" y2="${percent(1 - high)}"/>`)}
${points.map(
  ({ name, title, x, y, series }) =>
    html`<g><title>${title}</title><circle class="dot series-${series}" cx="${percent(x / end)}" cy="${percent(1 - y)}" r="10"/><text class="in-dot" x="${percent(x / end)}" y="${percent(1 - y)}" dy="4" text-anchor="middle">${name}</text></g>`,
)}
</svg><figcaption class="axis-name end">${words.x}</figcaption></figure>`;
}
