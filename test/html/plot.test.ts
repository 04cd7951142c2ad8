/** Plots: where their marks stand. */
import { expect, test } from 'vitest';
import { htmlText } from '../../src/html/markup.ts';
import { barScale } from '../../src/html/plot/bar.ts';
import { rateLine } from '../../src/html/plot/rate.ts';
import { percent, ticks } from '../../src/html/plot/scale.ts';
import { scatter, shifts } from '../../src/html/plot/scatter.ts';

test.each([
  [10, [0, 2.5, 5, 7.5, 10]],
  [1500, [0, 500, 1000, 1500]],
  [3900, [0, 1000, 2000, 3000, 4000]],
  [0.07, [0, 0.02, 0.04, 0.06, 0.08]],
  [0.3, [0, 0.1, 0.2, 0.3]],
  [0, [0, 1]],
  [Number.NaN, [0, 1]],
])('the ticks up to %d are round and reach it', (max, expected) => {
  expect(ticks(max)).toEqual(expected);
});

test('places are shares of the width', () => {
  expect([percent(0), percent(1 / 3), percent(1)]).toEqual(['0%', '33.333%', '100%']);
});

test('a rate stands in its interval; where nothing was counted there is no mark', () => {
  const line = htmlText(rateLine({ rate: 0.5, low: 0.25, high: 0.75 }, 2));
  expect(line).toContain('class="spread series-2" x1="25%" x2="75%"');
  expect(line).toContain('class="dot series-2" cx="50%"');
  expect(htmlText(rateLine(undefined, 2))).not.toContain('dot');
});

test('the parts of a bar follow each other, on a scale that all bars share', () => {
  const scale = barScale(4000, String);
  const bar = htmlText(scale.bar([{ value: 1000, series: 1 }, { value: 0, series: 2 }, { value: 2000, series: 3 }])); // biome-ignore format: a list
  expect(
    [...bar.matchAll(/series-(\d)" x="([\d.]+%)" width="([\d.]+%)"/g)].map(([, ...rest]) => rest),
  ).toEqual([
    ['1', '0%', '25%'],
    ['3', '25%', '50%'],
  ]);
  expect(htmlText(scale.axis)).toContain('>4000</text>');
});

test('a point says its name, and what it is in full', () => {
  const point = { name: '1', title: '<one>', series: 1, x: 50, y: 0.75, low: 0.5, high: 1 };
  const words = { label: 'Cost', x: 'Tokens', y: 'Right', xTick: String };
  const figure = htmlText(scatter([point, { ...point, x: 100 }], words));
  expect(figure).toContain('<title>&lt;one&gt;</title><circle class="dot series-1" cx="50%" cy="25%"');
  expect(figure).toContain('x1="100%" x2="100%" y1="50%" y2="0%"');
});

test('dots of one place stand side by side, all others where they are', () => {
  const places = [
    { x: 100, y: 1 },
    { x: 100, y: 1 },
    { x: 101, y: 1 },
    { x: 100, y: 0 },
    { x: 400, y: 1 },
  ];
  const moved = shifts(places, 1000);
  expect(moved.filter((_, at) => at !== 1 && at !== 2)).toEqual([0, 0, 0]);
  const stands = places.slice(0, 3).map(({ x }, at) => x + moved[at]!);
  expect(stands).toEqual([100, 121, 142]);
});
