/** How reading grows with the length of a call: one string argument, fed in pieces of four characters, against JSON.parse of the whole. */
import { toolCallJson } from '../parsers/tool-call-json.ts';
import type { Row } from './loop.ts';

const sizes = [10_000, 100_000, 1_000_000];
const repeats = 9;

export function parseRows(): Row[] {
  const times = sizes.map(size => {
    const body = JSON.stringify({ name: 'write_file', arguments: { text: filler(size) } });
    const pieces = `<tool_call>\n${body}\n</tool_call>`.match(/[\s\S]{1,4}/g)!.map(text => ({ text }));
    const read = () => {
      const reading = toolCallJson.start();
      let calls = 0;
      for (const piece of pieces)
        for (const event of reading.push(piece)) calls += Number(event.type === 'call-end');
      for (const event of reading.end('stop')) calls += Number(event.type === 'call-end');
      return calls;
    };
    if (read() !== 1) throw new Error('The call was not read.');
    return { ours: best(read), json: best(() => JSON.parse(body)) };
  });
  const [small, middle, large] = times as [Times, Times, Times];
  return [
    {
      name: 'streaming read of a 100 kB argument',
      value: middle.ours,
      unit: 'ms',
      note: 'pieces of 4 characters, best of 9',
    },
    {
      name: 'growth from 10 kB to 100 kB',
      value: middle.ours / small.ours,
      unit: '×',
      note: 'linear is 10, target ≤ 30',
    },
    {
      name: 'growth from 100 kB to 1 MB',
      value: large.ours / middle.ours,
      unit: '×',
      note: 'linear is 10, target ≤ 20',
    },
    {
      name: '1 MB against JSON.parse of the same text',
      value: large.ours / large.json,
      unit: '×',
      note: 'target ≤ 30',
    },
  ];
}

interface Times {
  readonly ours: number;
  readonly json: number;
}

function filler(size: number): string {
  const words = 'the "quick" brown\\fox\njumps {over} 懶狗 '.repeat(Math.ceil(size / 36));
  return words.slice(0, size);
}

/** The shortest of several: what else the machine does only ever adds. */
function best(run: () => unknown): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const start = performance.now();
    run();
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}
