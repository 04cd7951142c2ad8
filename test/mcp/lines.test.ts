import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineReader } from '../../src/mcp/lines.ts';
import { tail } from '../../src/mcp/tail.ts';

function read(bytes: Buffer, cuts: readonly number[], maxBytes = 1000) {
  const lines: string[] = [];
  let tooLong = 0;
  const push = lineReader({ maxBytes, onLine: line => lines.push(line), onTooLong: () => tooLong++ });
  const places = [...new Set([0, ...cuts.map(cut => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  for (const [at, place] of places.entries()) push(bytes.subarray(place, places[at + 1] ?? place));
  return { lines, tooLong };
}

test('lines are the same however the bytes arrive, also within a letter', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 20 }).map(text => text.replace(/[\r\n]/g, ''));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat()), fc.constantFrom('\n', '\r\n'), (lines, cuts, end) => {
      const bytes = Buffer.from(lines.map(text => text + end).join(''));
      expect(read(bytes, cuts)).toEqual({ lines, tooLong: 0 });
    }),
  );
});

test('a line over the limit is told once and ends the reading', () => {
  const bytes = Buffer.from(`ok\n${'x'.repeat(11)}\nmore\n${'y'.repeat(99)}\n`);
  expect(read(bytes, [5, 9, 12], 10)).toEqual({ lines: ['ok'], tooLong: 1 });
});

test('a tail keeps the last lines, without colours and empty ones', () => {
  const kept = tail();
  kept.push('first\n');
  for (let line = 0; line < 1000; line++) kept.push(`\u001b[31mline ${line}\u001b[0m\r\n\n`);
  kept.push('op');
  kept.push('en');
  expect(kept.lines(3)).toEqual(['line 998', 'line 999', 'open']);
  kept.push('x'.repeat(1_000_000));
  expect(kept.lines(1)[0]!.length).toBeLessThan(1000);
});
