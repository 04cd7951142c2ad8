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

/** In pixels. */
const height = 320;
const radius = 10;
/** Of a page on a desk; where it is narrower, dots may touch. */
const usualWidth = 1000;

/** How far to the right of its place each dot stands, so that none covers another one. */
export function shifts(points: readonly Pick<ScatterPoint, 'x' | 'y'>[], end: number): readonly number[] {
  const taken: { readonly x: number; readonly y: number }[] = [];
  const found = points.map(() => 0);
  const inOrder = points.map((point, at) => ({ ...point, at })).sort((left, right) => left.x - right.x);
  for (const { x, y, at } of inOrder) {
    const own = (x / end) * usualWidth;
    let place = own;
    for (const other of taken)
      if (Math.abs(other.y - y) * height < 2 * radius && Math.abs(other.x - place) < 2 * radius)
        place = other.x + 2 * radius + 1;
    taken.push({ x: place, y });
    found[at] = Math.round(place - own);
  }
  return found;
}

export function scatter(points: readonly ScatterPoint[], words: ScatterWords): Markup {
  const marks = ticks(Math.max(...points.map(({ x }) => x)), 5);
  const end = marks.at(-1) ?? 1;
  const moved = shifts(points, end);
  return html`<figure class="scatter"><div class="axis-name">${words.y}</div>
<svg class="plot" width="100%" height="${height}" role="img" aria-label="${words.label}">
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
  ({ name, title, x, y, series }, at) =>
    html`<g transform="translate(${moved[at]} 0)"><title>${title}</title><circle class="dot series-${series}" cx="${percent(x / end)}" cy="${percent(1 - y)}" r="${radius}"/><text class="in-dot" x="${percent(x / end)}" y="${percent(1 - y)}" dy="4" text-anchor="middle">${name}</text></g>`,
)}
</svg><figcaption class="axis-name end">${words.x}${moved.some(one => one !== 0) && '; dots that would cover others stand beside them'}</figcaption></figure>`;
}
