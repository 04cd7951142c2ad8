/** From values to places in a plot: per cent of its width and height, so that it is as wide as there is room, and its letters are not. */

/** Round numbers from 0 to the first one that is not below `max`, about `count` of them. */
export function ticks(max: number, count = 4): readonly number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map(factor => factor * power).find(size => size >= rough * 0.999) ?? max;
  const steps = Math.ceil((max / step) * 0.999);
  return Array.from({ length: steps + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** `43.75%` */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(3))}%`;
}
