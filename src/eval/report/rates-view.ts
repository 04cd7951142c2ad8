/** Rates with their intervals, a table for each, so that variants stand under each other where they are compared. */
import { type Content, html, type Markup } from '../../html/markup.ts';
import { rateAxis, rateLine } from '../../html/plot/rate.ts';
import { table } from '../../html/table.ts';
import { type Metrics, type Rate, type RateName, rateDefinitions } from '../metrics.ts';
import type { VariantResults } from './variants.ts';
import { percentText, shareText } from './words.ts';

export interface Measured {
  readonly of: VariantResults;
  readonly metrics: Metrics;
}

/** A variant's number in its colour, and what tells it from the others. */
export function nameOf({ number, label }: VariantResults): Markup {
  return html`<span class="name-of"><span class="number-of of-${seriesOf(number)}">${number}</span> <span class="label" title="${label}">${label}</span></span>`;
}

/** There are six colours: the number tells those of one colour apart. */
export function seriesOf(number: number): number {
  return ((number - 1) % 6) + 1;
}

export function ratesView(measured: readonly Measured[]): Markup {
  const names = (Object.keys(rateDefinitions) as RateName[]).filter(name =>
    measured.some(({ metrics }) => metrics.rates[name].of > 0),
  );
  return html`<div class="rates">${names.map(name => rateView(name, measured))}</div>`;
}

function rateView(name: RateName, measured: readonly Measured[]): Content {
  const { title, of, better } = rateDefinitions[name];
  return html`<section><h3>${sentence(title)}</h3><p class="of quiet small">of ${of}${better === 'lower' && '; less is better'}</p>${table(
    {
      caption: title,
      captionUnseen: true,
      wide: true,
      columns: [
        { title: 'Variant' },
        { title: rateAxis(), kind: 'plot-cell' },
        { title: 'Rate', kind: 'number' },
        { title: 'Of', kind: 'number' },
      ],
      rows: measured.map(({ of, metrics }) => {
        const rate = metrics.rates[name];
        return [nameOf(of), rateLine(markOf(rate), seriesOf(of.number)), rateCell(rate), rate.of];
      }),
    },
  )}</section>`;
}

function markOf({ rate, interval }: Rate) {
  return rate === undefined ? undefined : { rate, ...interval };
}

function rateCell(rate: Rate): Content {
  if (rate.rate === undefined) return '–';
  const { low, high } = rate.interval;
  return html`<span title="${shareText(rate)}, from ${percentText(low)} to ${percentText(high)}">${percentText(rate.rate)}<span class="sr">, interval from ${percentText(low)} to ${percentText(high)}</span></span>`;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
