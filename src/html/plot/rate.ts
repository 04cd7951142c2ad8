/** A rate and how sure it is, on a line from 0 to 1: a row of a table. Rows under each other share their grid. */
import { html, type Markup } from '../markup.ts';
import { percent } from './scale.ts';

export interface RateMark {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

const grid = [0, 0.25, 0.5, 0.75, 1];

/** `mark` is undefined where nothing was counted. The text beside it says the numbers, so that it is no news to a screen reader. */
export function rateLine(mark: RateMark | undefined, series: number): Markup {
  return html`<svg class="plot" width="100%" aria-hidden="true">${gridLines(grid)}${
    mark &&
    html`<line class="spread series-${series}" x1="${percent(mark.low)}" x2="${percent(mark.high)}" y1="50%" y2="50%"/><circle class="dot series-${series}" cx="${percent(mark.rate)}" cy="50%" r="5"/>`
  }</svg>`;
}

export function rateAxis(): Markup {
  return axis([
    [0, '0'],
    [0.5, '50'],
    [1, '100 %'],
  ]);
}

export function gridLines(shares: readonly number[]): Markup {
  return html`${shares.map(share => html`<line class="grid" x1="${percent(share)}" x2="${percent(share)}" y1="0" y2="100%"/>`)}`;
}

/** Labels over (or under) the lines of a grid. */
export function axis(labels: readonly (readonly [share: number, label: string])[]): Markup {
  return html`<svg class="plot" width="100%" height="18" aria-hidden="true">${labels.map(
    ([share, label], at) =>
      // Where there is no room, every other one of many gives way.
      html`<text class="tick ${at % 2 === 1 && labels.length > 3 && 'between'}" x="${percent(share)}" y="12" text-anchor="${anchor(share)}">${label}</text>`,
  )}</svg>`;
}

/** Labels at the ends stay inside. */
function anchor(share: number): string {
  if (share === 0) return 'start';
  return share === 1 ? 'end' : 'middle';
}
