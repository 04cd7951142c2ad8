/** Tokens and times as bars, and what accuracy costs. */
import { type Content, html, type Markup } from '../../html/markup.ts';
import { barScale, legend } from '../../html/plot/bar.ts';
import { scatter } from '../../html/plot/scatter.ts';
import { table } from '../../html/table.ts';
import { type Measured, nameOf, seriesOf } from './rates-view.ts';
import { countText, percentText, timeText } from './words.ts';

/** Nothing of variants without samples. */
export function costsView(all: readonly Measured[]): Content {
  const measured = all.filter(({ metrics }) => metrics.samples > 0);
  if (measured.length === 0) return undefined;
  return [tokensView(measured), timesView(measured)];
}

function tokensView(measured: readonly Measured[]): Markup {
  const each = measured.map(({ of, metrics: { tokens, samples } }) => ({
    of,
    evaluated: tokens.evaluated / samples,
    generated: tokens.generated / samples,
    reused: tokens.reused / samples,
  }));
  const scale = barScale(
    Math.max(...each.map(({ evaluated, generated, reused }) => evaluated + generated + reused)),
    countText,
  );
  return html`<h3>Tokens a sample</h3>${legend([
    ['evaluated', 1],
    ['generated', 2],
    ['reused from the cache', 6],
  ])}${table({
    caption: 'Tokens a sample, the mean over all samples',
    captionUnseen: true,
    wide: true,
    columns: [
      { title: 'Variant' },
      { title: scale.axis, kind: 'plot-cell' },
      { title: 'Evaluated', kind: 'number' },
      { title: 'Generated', kind: 'number' },
      { title: 'Reused', kind: 'number' },
    ],
    rows: each.map(({ of, evaluated, generated, reused }) => [
      nameOf(of),
      scale.bar([
        { value: evaluated, series: 1 },
        { value: generated, series: 2 },
        { value: reused, series: 6 },
      ]),
      ...[evaluated, generated, reused].map(countText),
    ]),
  })}`;
}

function timesView(measured: readonly Measured[]): Markup {
  const scale = barScale(Math.max(...measured.map(({ metrics }) => metrics.total?.median ?? 0)), timeText);
  return html`<h3>Time a sample, the median</h3>${legend([
    ['to the first token', 3],
    ['from there to the end', 4],
  ])}${table({
    caption: 'Time a sample: medians, and what nine of ten need at most',
    captionUnseen: true,
    wide: true,
    columns: [
      { title: 'Variant' },
      { title: scale.axis, kind: 'plot-cell' },
      { title: 'First token', kind: 'number' },
      { title: 'In all', kind: 'number' },
      { title: '9 of 10', kind: 'number' },
    ],
    rows: measured.map(({ of, metrics: { firstToken, total } }) => {
      const [first, all] = [firstToken?.median ?? 0, total?.median ?? 0];
      return [
        nameOf(of),
        scale.bar([
          { value: Math.min(first, all), series: 3 },
          { value: Math.max(0, all - first), series: 4 },
        ]),
        firstToken ? timeText(first) : '–',
        timeText(all),
        total && timeText(total.p90),
      ];
    }),
  })}`;
}

export function scatterView(all: readonly Measured[]): Content {
  const points = all.flatMap(({ of, metrics: { rates, tokens, samples } }) => {
    const { rate, interval } = rates.right;
    if (rate === undefined) return [];
    const x = (tokens.evaluated + tokens.generated) / samples;
    const title = `${of.number} ${of.label}: ${percentText(rate)} right, ${countText(x)} tokens`;
    return [{ name: String(of.number), title, series: seriesOf(of.number), x, y: rate, ...interval }];
  });
  if (points.length === 0) return undefined;
  return scatter(points, {
    label: points.map(({ title }) => title).join('; '),
    x: 'Tokens evaluated and generated, a sample',
    y: 'Right, with intervals of 95 %',
    xTick: countText,
  });
}
