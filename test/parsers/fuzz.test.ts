/** Laws 2 and 9 over anything at all: no input makes a parser throw or lose a character, and what was cut never runs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Piece, ReadingContext } from '../../parsers/parser.ts';
import { expectAccounted } from './accounting.ts';
import { eventsOf, type SyntaxUnderTest, textOf } from './syntax.ts';
import { syntaxes } from './syntaxes/index.ts';
import { tools } from './tools.ts';

/** `npm run fuzz` multiplies the runs. */
const times = Number(process.env.RAWCALL_FUZZ ?? 1);

const folder = path.join(import.meta.dirname, '..', 'formats');
const completions = readdirSync(folder)
  .map(format => path.join(folder, format, 'completions.jsonl'))
  .filter(file => existsSync(file))
  .flatMap(file => readFileSync(file, 'utf8').trim().split('\n'))
  .map(line => (JSON.parse(line) as { completion: string }).completion)
  .filter(completion => typeof completion === 'string' && completion.length < 500);

/** Pieces of what the syntax holds, of recorded completions of every format and of anything, any of them flagged as control tokens. */
function piecesOf(syntax: SyntaxUnderTest): fc.Arbitrary<Piece[]> {
  const mutated = fc
    .record({ text: fc.constantFrom(...completions), from: fc.nat(500), length: fc.nat(500) })
    .map(({ text, from, length }) => text.slice(from % (text.length + 1), from + length));
  const text = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...syntax.fragments) },
    { weight: 2, arbitrary: mutated },
    { weight: 1, arbitrary: fc.string({ maxLength: 8, unit: 'binary' }) },
  );
  const piece = fc.record({ text, control: fc.oneof(fc.constant(false), fc.boolean()) });
  return fc.array(piece, { maxLength: 12 });
}

function contextsOf(syntax: SyntaxUnderTest): fc.Arbitrary<ReadingContext> {
  const controlTokens = new Set(syntax.fragments.filter(text => /^[<[].*[>\]]$/.test(text)));
  return fc.constantFrom<ReadingContext>(
    { tools },
    {},
    { tools, controlTokens },
    { tools: [], bareCalls: 'anywhere' },
    { tools, bareCalls: 'anywhere', prefill: '<think>\n' },
  );
}

const reasons = fc.constantFrom('stop' as const, 'length' as const, 'aborted' as const);

describe.each(syntaxes)('$name', syntax => {
  test('anything comes out somewhere, and nothing throws', () => {
    fc.assert(
      fc.property(piecesOf(syntax), contextsOf(syntax), reasons, (pieces, context, reason) => {
        expectAccounted(textOf(pieces), eventsOf(syntax.parser, pieces, context, reason), syntax, context);
      }),
      { numRuns: 10_000 * times },
    );
  });

  test('every recorded completion, cut at every character', () => {
    for (const completion of completions) {
      for (let end = 0; end < completion.length; end += times > 1 ? 1 : 3) {
        const text = completion.slice(0, end);
        const events = eventsOf(syntax.parser, [{ text }], { tools }, 'length');
        expectAccounted(text, events, syntax, {});
      }
    }
  });
});

test('there are completions to cut', () => {
  expect(completions.length).toBeGreaterThan(100);
});
