/** How the time of one streamed call grows when it gets twice as long. */
import type { Parser } from '../../parsers/parser.ts';

export interface Timed {
  readonly what: string;
  readonly n: readonly number[];
  readonly chunkChars: number;
}

export function timedWrongs({ what, n, chunkChars }: Timed, parser: Parser, most: number): string[] {
  // The longest one first, so that the machine is warm when it counts.
  const sizes = [n.at(-1) ?? 1, ...n];
  const [, ...times] = sizes.map(count => {
    const args = /array|list/.test(what)
      ? { query: 'x', tags: Array.from({ length: count }, (_, index) => `t${index}`) }
      : { query: 'words \\ and "quotes"\n'.repeat(Math.ceil(count / 20)).slice(0, count) };
    const call = { id: 'call_1', name: 'search', arguments: args, argumentsText: JSON.stringify(args) };
    const text = parser
      .write([call])
      .map(piece => piece.text)
      .join('');
    const pieces = Array.from({ length: Math.ceil(text.length / chunkChars) }, (_, index) => ({
      text: text.slice(index * chunkChars, (index + 1) * chunkChars),
    }));
    return fastest(() => {
      const reading = parser.start();
      let calls = 0;
      for (const piece of pieces)
        for (const { type } of reading.push(piece)) if (type === 'call-end') calls++;
      for (const { type } of reading.end('stop')) if (type === 'call-end') calls++;
      if (calls !== 1) throw new Error(`${calls} calls were read.`);
    });
  });
  const ratios = times.slice(1).map((time, index) => time / (times[index] ?? time));
  return ratios.every(ratio => ratio <= most)
    ? []
    : [`twice the length takes ${ratios.map(ratio => ratio.toFixed(2))} times as long`];
}

/** What else the machine does only ever adds. */
function fastest(run: () => void): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < 7; repeat++) {
    const start = process.cpuUsage().user;
    run();
    shortest = Math.min(shortest, process.cpuUsage().user - start);
  }
  return shortest;
}
